/**
 * Reading a document: its values, its bytes, and the positions of its values.
 */
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { parseFile } from '../../../src/openapi/document/parse.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

function load(t: Test, source: string) {
  const file = join(temporaryFolder(t), 'api.yaml')
  writeFileSync(file, source)
  const document = parseFile(file)
  const name = `${relative(process.cwd(), file)}:`
  const getPlace = (pointer: string) => document.locate(pointer).replace(name, '')
  return { document, root: document.root as object, getPlace }
}

t.test('values are those of JSON, whatever YAML would make of them', async (t) => {
  const { root } = load(
    t,
    `a: 2030-12-05
b: yes
c: 0o17
d: 1e3
e: ~
f: 9007199254740993
g: -9223372036854775808
h: 1.5
200: [on, 'x', "y", &anchor { z: 1 }]
"300": *anchor
`,
  )
  t.strictSame(root, {
    a: '2030-12-05',
    b: 'yes',
    c: 15,
    d: 1000,
    e: null,
    f: 9007199254740993n,
    g: -9223372036854775808n,
    h: 1.5,
    '200': ['on', 'x', 'y', { z: 1 }],
    '300': { z: 1 },
  })
  t.strictSame(load(t, '%YAML 1.1\n---\na: yes\nb: 2030-12-05\n').root, { a: 'yes', b: '2030-12-05' })
  t.strictSame(load(t, '{"a": [1, {"b": null}]}').root, { a: [1, { b: null }] })
})

t.test("the source is the file's own bytes", async (t) => {
  const source = '# a comment\r\na: "é"   # and another\n'
  t.equal(load(t, source).document.source.toString(), source)
})

t.test('a place is that of the key or the item, or of the nearest value around it', async (t) => {
  const { getPlace } = load(
    t,
    `# a comment
paths:
  /a~b:
    get:
      tags: [one, two]
      list:
        - name: x
        -   name: &x { deep: 1 }
    put: *x
200: x
`,
  )
  for (const [pointer, place] of [
    ['', '2:1'],
    ['/paths', '2:1'],
    ['/paths/~1a~0b', '3:3'],
    ['/paths/~1a~0b/get/tags/1', '5:19'],
    ['/paths/~1a~0b/get/list/0', '7:11'],
    ['/paths/~1a~0b/get/list/1/name', '8:13'],
    ['/paths/~1a~0b/put', '9:5'],
    ['/paths/~1a~0b/put/deep', '8:24'],
    ['/200', '10:1'],
    ['/200/more', '10:1'],
    ['/paths/~1a~0b/get/missing/more', '4:5'],
    ['/paths/~1a~0b/get/list/7', '6:7'],
    ['/nothing', '2:1'],
  ] as const) {
    t.equal(getPlace(pointer), place, pointer)
  }
})

t.test('a folder is refused as a document', async (t) => {
  const message = `${process.cwd()}:1:1: the file cannot be read (EISDIR); check its name and permissions`
  t.throws(() => parseFile(process.cwd()), { name: 'DocumentError', message })
})
