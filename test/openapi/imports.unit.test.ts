/** The order of the layer's folders: each imports only from those to its left. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'

const layer = join(import.meta.dirname, '../../src/openapi')

/** From left to right; the folders of one list do not import each other. */
const order = [
  ['shared'],
  ['document'],
  ['schema'],
  ['request', 'response'],
  ['testing', 'check'],
  ['operation'],
  ['mocks', 'plugin'],
  ['generate'],
]

/** Returns the files that a file of the layer imports, relative to the layer. */
function readImports(file: string): string[] {
  const text = readFileSync(join(layer, file), 'utf8')
  const imports = text.matchAll(/(?:^import\b|^export\b|^\} from\b|\bimport\().*?'(\.[^']+)'/gm)
  return Array.from(imports, ([, path = '']) => relative(layer, join(layer, dirname(file), path)))
}

t.test('each folder of the layer imports only from folders to its left', async (t) => {
  const getRank = (file: string) => order.findIndex((folders) => folders.includes(String(file.split('/')[0])))
  const files = globSync('*/**/*.ts', { cwd: layer })
  t.strictSame(new Set(files.map((file) => file.split('/')[0])), new Set(order.flat()))
  const wrong = files.flatMap((file) =>
    readImports(file)
      .filter((imported) => dirname(imported) !== dirname(file))
      .filter((imported) => getRank(imported) < 0 || getRank(imported) >= getRank(file))
      .map((imported) => `${file} imports ${imported}`),
  )
  t.strictSame(wrong, [])
})

t.test('the description of schemas imports nothing of their validation', async (t) => {
  const names = ['view', 'views', 'applicators', 'members', 'branching', 'dispatch', 'types', 'bounded-cache']
  const description = names.map((name) => `schema/${name}.ts`)
  const imports = description.flatMap(readImports).filter((file) => file.startsWith('schema/'))
  t.ok(imports.length > 5)
  t.strictSame(
    imports.filter((file) => !description.includes(file)),
    [],
  )
})

t.test('other folders import only the entries of schema', async (t) => {
  const entries = ['compiler', 'compile-for-views', 'selection', 'branching', 'view', 'types', 'formats', 'messages']
  const files = globSync('*/**/*.ts', { cwd: layer }).filter((file) => !file.startsWith('schema/'))
  const imports = files.flatMap(readImports).filter((file) => file.startsWith('schema/'))
  const others = new Set(imports).difference(new Set(entries.map((name) => `schema/${name}.ts`)))
  t.strictSame([...others], [])
})
