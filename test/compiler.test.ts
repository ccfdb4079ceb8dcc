/**
 * What does not compile: handlers that return what the spec does not declare, and stores that cannot keep what an edited
 * spec allows, once the types are generated from it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import ts from 'typescript'
import { generateServerTypes } from '../src/openapi/generate/server.ts'
import { loadDocument } from '../src/openapi/index.ts'
import { SERVER_HEADERS } from '../src/server-headers.ts'
import { editLines } from './helpers/edit.ts'
import { spec } from './helpers/service.ts'
import { temporaryFolder } from './helpers/temporary.ts'
import { readYaml } from './helpers/yaml.ts'

const root = join(import.meta.dirname, '..')
const code = [
  'src/pets/handlers.ts',
  'src/stores/rows.ts',
  'src/stores/sqlite/store.ts',
  'src/stores/postgres/store.ts',
].map((name) => join(root, name))
const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: code }, ts.sys, root)
const host = ts.createCompilerHost(options)
const parsed = new Map<string, ts.SourceFile | undefined>()
let oldProgram: ts.Program | undefined

/**
 * Returns what the compiler says of the code with other texts of some files, as `FILE: message`. Leaves the OpenAPI layer out,
 * which does not depend on these.
 */
function compile(texts: Readonly<Record<string, string>>): string[] {
  const getSourceFile: ts.CompilerHost['getSourceFile'] = (name, languageVersion) => {
    const text = texts[name.slice(root.length + 1)]
    if (text !== undefined) return ts.createSourceFile(name, text, languageVersion)
    if (!parsed.has(name)) parsed.set(name, host.getSourceFile(name, languageVersion))
    return parsed.get(name)
  }
  const program = ts.createProgram(code, options, { ...host, getSourceFile }, oldProgram)
  oldProgram = program
  return program
    .getSourceFiles()
    .filter(({ fileName }) => /^src\/(?!openapi\/)/.test(fileName.slice(root.length + 1)))
    .flatMap((file) => program.getSemanticDiagnostics(file))
    .map(({ file, messageText }) => {
      return `${file?.fileName.slice(root.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    })
}

const HANDLERS = 'src/pets/handlers.ts'
const TYPES = 'generated/server.d.ts'
const read = (name: string) => readFileSync(join(root, name), 'utf8')

for (const [what, file, from, to, message] of [
  [
    'a header that is not declared',
    HANDLERS,
    'last === undefined) return { status: 200, body: page }',
    "last === undefined) return { status: 200, body: page, headers: { 'X-Total': 3 } }",
    "'X-Total'' does not exist in type",
  ],
  [
    'a member that is not declared',
    HANDLERS,
    'return { status: 200, body: pet }',
    'return { status: 200, body: { ...pet, secret: 1 } }',
    "'secret' does not exist in type 'Pet'",
  ],
  [
    'a header that is no longer declared',
    TYPES,
    'readonly body: Pet[]; readonly headers?: { readonly Link?: string } }',
    'readonly body: Pet[] }',
    "'headers' does not exist in type",
  ],
] as const) {
  t.test(`${what} causes one error that fits into a terminal`, async (t) => {
    const text = read(file)
    t.ok(text.includes(from))
    const errors = compile({ [file]: text.replace(from, to) })
    t.equal(errors.length, 1, errors.join('\n'))
    t.match(errors[0], `${HANDLERS}: `)
    t.match(errors[0], message)
    t.ok(String(errors[0]).length < 1000)
  })
}

/** Generates the types of a spec. */
async function generate(t: Test, source: string): Promise<string> {
  const file = join(temporaryFolder(t), 'openapi.yaml')
  writeFileSync(file, source)
  return generateServerTypes(
    await loadDocument(file),
    SERVER_HEADERS.map((name) => name.toLowerCase()),
  )
}

interface Case {
  readonly name: string
  readonly edit: string
  readonly error: string
}

for (const { name, edit, error } of readYaml<Case[]>(join(import.meta.dirname, 'compiler.yaml'))) {
  t.test(`${name} does not compile until the store can keep it`, async (t) => {
    const errors = compile({ [TYPES]: await generate(t, editLines(spec, edit)) })
    t.equal(errors.filter((each) => new RegExp(error).test(each)).length, 1, errors.join('\n'))
  })
}

t.test('an optional member compiles when it is written and read', async (t) => {
  const members = /( {4}(?:New)?Pet:\n(?: {6}.*\n)*? {6}properties:\n)/g
  const types = await generate(t, spec.replace(members, '$1        newMember: { type: string }\n'))
  t.equal(types.match(/newMember\?: string/g)?.length, 2)
  const rows = 'src/stores/rows.ts'
  // Behind the others, whatever they are: in the table of columns, in the row and in the animal that it becomes.
  const written = read(rows).replace(/(\nconst columns: [\s\S]*?)\n\}/, "$1\n  newMember: ['new_member', 'text'],\n}")
  const [missing, ...others] = compile({ [TYPES]: types, [rows]: written })
  t.match(missing, /rows\.ts: Property 'newMember' is missing/)
  t.strictSame(others, [])
  const complete = written
    .replace(/(toPet\(\[[^\]]*?),?(\s*\]: PetRow)/, '$1, newMember$2')
    .replace(/(const pet: .* = \{[^}]*?),?(\s*\}\n)/, '$1, newMember: newMember ?? undefined$2')
  t.strictSame(compile({ [TYPES]: types, [rows]: complete }), [])
})
