/** The list of what a start rejects, in src/openapi/docs/rejections.md, beside the messages of the layer and those of its tests. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { createPattern } from '../../src/openapi/shared/patterns.ts'
import { readYaml } from '../helpers/yaml.ts'
import { readMistakes } from './layer.ts'

const project = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(project, file), 'utf8')

/** The messages that the tests of whole documents expect, of one file and of several. */
const mistakes = [
  ...globSync('test/openapi/refusals/*.yaml', { cwd: project }).flatMap((file) => readMistakes(read(file))),
  ...listMessages('test/openapi/split.unit.test.ts').map((text) => text.replace(/^\S+(:\d+:\d+|#\S*): /, '')),
]

/** Matches a text in which `…` stands for any text. */
const toPattern = (text: string) =>
  createPattern(`^${text.replaceAll(/[^\w\s…]/g, (character) => `\\${character}`).replaceAll('…', '.*')}$`)

t.test(
  'the list of what a start rejects has every message of the tests, and each of its messages occurs',
  async (t) => {
    const rows = read('src/openapi/docs/rejections.md').match(/^\| .*/gm) ?? []
    const listed = rows.flatMap((row) =>
      Array.from(row.split(' | ')[1]?.matchAll(/`([^`]*)`/g) ?? [], ([, text]) => text),
    )
    t.ok(listed.length > 50)
    const patterns = new Map(listed.map((text = '') => [text, toPattern(text)]))
    for (const mistake of mistakes)
      t.ok(
        [...patterns.values()].some((pattern) => pattern.test(mistake)),
        mistake,
      )
    for (const [text, pattern] of patterns)
      t.ok(
        mistakes.some((mistake) => pattern.test(mistake)),
        text,
      )
  },
)

t.test('every message about a document occurs in a test', async (t) => {
  const messages = [
    ...mistakes,
    ...readMistakes(read('test/openapi/warnings.yaml')),
    ...['refusals', 'document'].flatMap((name) => listMessages(`test/openapi/${name}.unit.test.ts`)),
  ]
  const files = [
    ...[
      'document',
      'names',
      'parameters',
      'paths',
      'references',
      'request-bodies',
      'responses',
      'schemas',
      'security',
      'servers',
      'values',
    ].map((name) => `check/${name}.ts`),
    'check/text-types.ts',
    ...globSync('document/*.ts', { cwd: join(project, 'src/openapi') }),
  ]
  const ofCode = files.flatMap((file) => listMessages(`src/openapi/${file}`))
  const ofSchema = listAdvice(readYaml(join(project, 'src/openapi/check/supported.yaml'))).map((text) => `…; ${text}`)
  t.ok(ofCode.length > 30 && ofSchema.length > 20)
  for (const text of [...ofCode, ...ofSchema]) {
    const pattern = toPattern(`…${text}…`)
    t.ok(
      messages.some((message) => pattern.test(message)),
      text,
    )
  }
})

/** Lists the texts `what is wrong; what to do` in a program, with `…` in place of expressions. */
function listMessages(file: string): string[] {
  const texts: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) texts.push(node.text)
    if (ts.isTemplateExpression(node)) {
      texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'))
    }
    node.forEachChild(visit)
  }
  visit(ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest))
  // Without the place.
  return texts.filter((text) => /\S; \S/.test(text)).map((text) => text.replace(/^…:(\d+:\d+:)? /, ''))
}

/** Lists what the keyword `advice` says in a schema. */
function listAdvice(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'advice' && typeof member === 'string' ? [member] : listAdvice(member),
  )
}
