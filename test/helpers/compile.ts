/**
 * The compiler on the code of the service, in the process of the test, with some of its files edited.
 */
import { join } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '../..')
const code = [
  'src/pets/handlers.ts',
  'src/stores/rows.ts',
  'src/stores/sqlite/store.ts',
  'src/stores/postgres/store.ts',
]

const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: code }, ts.sys, root)
const parsed = new Map<string, ts.SourceFile | undefined>()

/** Returns what the compiler says of the code with other texts of some files, as `FILE: message`. */
export function compile(texts: Readonly<Record<string, string>>): string[] {
  const edited = new Map(Object.entries(texts).map(([name, text]) => [join(root, name), text]))
  const host = ts.createCompilerHost(options)
  const program = ts.createProgram({
    rootNames: code.map((name) => join(root, name)),
    options,
    host: {
      ...host,
      getSourceFile: (name, languageVersion) => {
        const text = edited.get(name)
        if (text !== undefined) return ts.createSourceFile(name, text, languageVersion)
        if (!parsed.has(name)) parsed.set(name, host.getSourceFile(name, languageVersion))
        return parsed.get(name)
      },
    },
  })
  const files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(join(root, 'src/')))
  return files.flatMap((each) =>
    program.getSemanticDiagnostics(each).map(({ messageText }) => {
      return `${each.fileName.slice(root.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    }),
  )
}
