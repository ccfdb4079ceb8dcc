/**
 * The compiler on the code of the service, with some of its files edited: the process that compile.ts starts.
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
const host = ts.createCompilerHost(options)
const parsed = new Map<string, ts.SourceFile | undefined>()
let oldProgram: ts.Program | undefined

/**
 * Returns what the compiler says of the code with other texts of some files. Leaves the OpenAPI layer out, which does not
 * depend on these.
 */
function compile(texts: Readonly<Record<string, string>>): string[] {
  const edited = new Map(Object.entries(texts).map(([name, text]) => [join(root, name), text]))
  const program = ts.createProgram({
    rootNames: code.map((name) => join(root, name)),
    options,
    ...(oldProgram !== undefined && { oldProgram }),
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
  oldProgram = program
  const files = program.getSourceFiles().filter(({ fileName }) => {
    return fileName.startsWith(join(root, 'src/')) && !fileName.startsWith(join(root, 'src/openapi/'))
  })
  return files.flatMap((each) =>
    program.getSemanticDiagnostics(each).map(({ messageText }) => {
      return `${each.fileName.slice(root.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    }),
  )
}

process.on('message', (texts: Readonly<Record<string, string>>) => process.send?.(compile(texts)))
