/** `npm run spec:diff`: the part of the version that each change needs, and the base of the comparison. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { readYaml } from '../helpers/yaml.ts'

type Edit = readonly [text: string, replacement: string]

const source = readFileSync(join(import.meta.dirname, 'spec-diff.yaml'), 'utf8')

const smallerPages: Edit = ['maximum: 100', 'maximum: 50']
const toVersion = (version: string): Edit => ['version: 1.4.2', `version: ${version}`]

/** A folder with a spec as its base.yaml and as its openapi.yaml, each after edits. */
function newFolder(t: Test, edits: readonly Edit[] = [], baseEdits: readonly Edit[] = []) {
  const folder = temporaryFolder(t)
  const write = (name: string, ...edits: readonly Edit[]) => {
    const text = edits.reduce((before, [part, replacement]) => {
      if (!before.includes(part)) throw new Error(`the spec has no ${part}`)
      return before.replace(part, () => replacement)
    }, source)
    writeFileSync(join(folder, name), text)
  }
  write('base.yaml', ...baseEdits)
  write('openapi.yaml', ...edits)
  // The repository of a hook that runs the tests must not matter.
  const env = { GIT_DIR: undefined, GIT_INDEX_FILE: undefined, GIT_CEILING_DIRECTORIES: join(folder, '..') }
  return {
    folder,
    write,
    diff: (...args: readonly string[]) => runScript(t, 'spec-diff', args, { folder, env }),
    git: (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: 'pipe',
      }),
  }
}

interface Case {
  readonly name: string
  readonly base?: readonly Edit[]
  readonly edits: readonly Edit[]
  readonly changes: readonly string[]
}

for (const { name, base, edits, changes } of readYaml<Case[]>(join(import.meta.dirname, 'spec-diff-changes.yaml'))) {
  t.test(name, async (t) => {
    const { stdout, stderr } = await newFolder(t, edits, base).diff('base.yaml')
    const lines = [...stdout.matchAll(/^(?:major|minor|patch) .*$/gm)].map(([line]) =>
      line.replace(/ +\S+:\d+:\d+ +/, ' '),
    )
    t.same(lines, changes, stderr)
  })
}

t.test('each change has its place and the reason, and info.version must allow the largest', async (t) => {
  const edits: Edit[] = [['version: 1.4.2, description: Things.', 'version: 1.4.2, description: All.'], smallerPages]
  const { diff, write } = newFolder(t, [...edits, ['operationId: listParts', 'operationId: findParts']])
  t.strictSame(await diff('base.yaml'), {
    status: 1,
    stdout: `major  openapi.yaml:95:41  paths /things get parameters 0 schema maximum: 100 → 50
       Upper bound of \`Limit\` changed from '<= 100' to '<= 50'.
minor  openapi.yaml:59:7  paths /things/{id}/parts get operationId: "listParts" → "findParts"
       \`operationId\` of operation \`GET /things/{id}/parts\` changed from 'listParts' to 'findParts'.
       A minor version may do that: the operation is not stable, or its sunset is past.
patch  openapi.yaml:3:38  info description: "Things." → "All."
`,
    stderr:
      'openapi.yaml:3:22: 3 changes since 1.4.2 (base.yaml), and info.version is 1.4.2; write 2.0.0 or a later version\n',
  })
  write('openapi.yaml', smallerPages, toVersion('2.0.0-rc.1'))
  const allowed = await diff('base.yaml')
  t.match(allowed, { status: 0, stderr: '' })
  t.match(allowed.stdout, /\n1 change since 1\.4\.2 \(base\.yaml\); info\.version 2\.0\.0-rc\.1 allows that\n$/)
})

t.test('a version that is too small, lower than before or malformed is refused', async (t) => {
  const { diff, write } = newFolder(t)
  for (const [edits, needed] of [
    [[smallerPages, toVersion('1.10.0')], '2.0.0'],
    [[['maximum: 100', 'maximum: 200'], toVersion('1.4.3')], '1.5.0'],
    [[toVersion('next')], '1.4.2'],
  ] as const) {
    write('openapi.yaml', ...edits)
    const { status, stderr } = await diff('base.yaml')
    t.equal(status, 1)
    t.match(stderr, new RegExp(`^openapi\\.yaml:3:22: .*; write ${needed} or a later version\\n$`))
  }
})

t.test('before 1.0.0, a minor version may break clients', async (t) => {
  const { diff } = newFolder(t, [smallerPages, toVersion('0.5.0')], [toVersion('0.4.2')])
  t.match(await diff('base.yaml'), { status: 0, stdout: 'info.version 0.5.0 allows that' })
})

t.test('a change that needs a patch only is printed, and needs no new version', async (t) => {
  const { diff } = newFolder(t, [
    ['operationId: addThing', 'operationId: addThing\n      summary: Adds a thing to those that the shop has'],
    ['paths:\n', 'tags: [{ name: Things }]\npaths:\n'],
    // Nothing uses it.
    ['maxLength: 5', 'maxLength: 4'],
  ])
  t.strictSame(await diff('base.yaml'), {
    status: 0,
    stdout: `patch  openapi.yaml:116:29  components schemas Unused maxLength: 5 → 4
patch  openapi.yaml:29:7  paths /things post summary: modified
patch  openapi.yaml:9:1  tags: added
       It is documentation.
3 changes since 1.4.2 (base.yaml); info.version 1.4.2 allows that
`,
    stderr: '',
  })
})

t.test('the base is a git ref, and by default the last tag, or else origin/main, or else HEAD', async (t) => {
  const { diff, git, write } = newFolder(t)
  git('init', '--quiet', '--initial-branch=main')
  git('add', 'openapi.yaml')
  git('commit', '--quiet', '--message=The first')
  const unchanged = 'no changes since 1.4.2 (HEAD); info.version 1.4.2 allows that\n'
  t.strictSame(await diff(), { status: 0, stdout: unchanged, stderr: '' })
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  write('openapi.yaml', smallerPages)
  git('commit', '--quiet', '--all', '--message=The second')
  t.match(await diff(), { status: 1, stderr: /1 change since 1\.4\.2 \(origin\/main\)/ })
  git('tag', 'v1.4.2')
  t.match(await diff(), { status: 0, stdout: /^no changes since 1\.4\.2 \(v1\.4\.2\)/ })
  write('HEAD')
  t.match(await diff('HEAD'), { status: 1, stderr: /^openapi.*1 change since/ }, 'a file comes before a ref')
  t.match(await diff('HEAD~1'), { status: 1, stderr: /1 change since 1\.4\.2 \(HEAD~1\)/ })
})

t.test('without a base that can be read, the exit status is 2', async (t) => {
  const { diff, folder, git, write } = newFolder(t)
  const wrong = { status: 2, stdout: '' }
  const noBase = 'origin/main, HEAD: no file or git ref that has openapi.yaml; name one to compare with\n'
  t.strictSame(await diff(), { ...wrong, stderr: noBase })
  git('init', '--quiet')
  t.strictSame(await diff(), { ...wrong, stderr: noBase })
  const unknown = 'nothing: no file or git ref that has openapi.yaml; name one to compare with\n'
  t.strictSame(await diff('nothing'), { ...wrong, stderr: unknown })
  const stderr = 'wrong.yaml is not OpenAPI 3.0 to 3.2 with an info.version such as 1.2.3; compare with another base\n'
  for (const broken of ['openapi: [', 'openapi: 3.1.0\ninfo: { version: 1.0.0 }\nopenapi: 3.1.0\n']) {
    writeFileSync(join(folder, 'wrong.yaml'), broken)
    t.match(await diff('wrong.yaml'), {
      ...wrong,
      stderr: /^wrong\.yaml cannot be read: wrong\.yaml:\d+:\d+: invalid YAML: .+\n$/,
    })
  }
  for (const edit of [toVersion('one'), ['openapi: 3.1.0', 'openapi: 3.9.0']] as const) {
    write('wrong.yaml', edit)
    t.strictSame(await diff('wrong.yaml'), { ...wrong, stderr })
  }
})

t.test('a spec of several files is compared with one file, and with its files at a git ref', async (t) => {
  const { diff, folder, git, write } = newFolder(t)
  const [main = '', components = ''] = source.split(/^components:\n/m)
  const save = (name: string, text: string) => writeFileSync(join(folder, name), text)
  mkdirSync(join(folder, 'parts'))
  const scheme = '{ $ref: "#/components/securitySchemes/Key" }'
  const split = `${main}components: { securitySchemes: { Key: ${scheme} } }\n`.replaceAll('"#', '"parts/all.yaml#')
  save('openapi.yaml', split)
  save('parts/all.yaml', `components:\n${components}`)
  const unchanged = {
    status: 0,
    stderr: '',
    stdout: 'no changes since 1.4.2 (base.yaml); info.version 1.4.2 allows that\n',
  }
  // The components that nothing uses are no part of it.
  const unusedParameter = '  parameters:\n    Page: { name: page, in: query, schema: { type: integer } }\n'
  write('base.yaml', ['    Unused: { type: string, maxLength: 5 }\n', ''], [unusedParameter, ''])
  t.strictSame(await diff('base.yaml'), unchanged)

  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message=The first')
  save('parts/all.yaml', `\ncomponents:\n${components.replace('maximum: 100', 'maximum: 50')}`)
  t.match(
    (await diff('HEAD')).stdout,
    /^major {2}parts\/all\.yaml:\d+:41 {2}paths \/things get parameters 0 schema maximum: 100 → 50\n/,
  )
  save('parts/all.yaml', `components:\n${components.replace(', maximum: 100', '')}`)
  t.match((await diff('HEAD')).stdout, /maximum: 100 → none\n/)
  save('openapi.yaml', split.replace(/^ {2}\/things\/\{id\}\/parts:\n(?: {4}.*\n)+/m, ''))
  t.match(
    (await diff('HEAD')).stdout,
    /^minor {2}HEAD:openapi\.yaml:\d+:3 {2}paths \/things\/\{id\}\/parts: removed\n/m,
  )
})

t.test('a change behind an alias of YAML is found wherever the alias is', async (t) => {
  const { diff, folder } = newFolder(t)
  const save = (name: string, first: string, second: string) =>
    writeFileSync(
      join(folder, name),
      `openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
paths:
  /a: { get: { responses: { "200": { description: A., headers: ${first} } } } }
  /b: { get: { responses: { "200": { description: B., headers: ${second} } } } }
`,
    )
  const headers = '{ Count: { required: true, schema: { type: integer } } }'
  save('base.yaml', `&headers ${headers}`, '*headers')
  save('openapi.yaml', headers, headers)
  t.match((await diff('base.yaml')).stdout, /^no changes/)
  save('openapi.yaml', `&headers ${headers.replace('true', 'false')}`, '*headers')
  t.match((await diff('base.yaml')).stdout, /^major .* \/a .*\n.*\nmajor .* \/b /)
})

t.test('a base of several files that lacks one of them is not compared', async (t) => {
  const { diff, write } = newFolder(t)
  write('wrong.yaml', ['"#/components/schemas/Limit"', '"none.yaml#/Limit"'])
  const stderr = /^wrong\.yaml:\d+:\d+: the file "none\.yaml" does not exist; add it or correct the reference\n$/
  t.match(await diff('wrong.yaml'), { status: 2, stdout: '', stderr })
})

t.test('a spec that cannot be served is not compared', async (t) => {
  const { diff } = newFolder(t, [['x-max-bytes: 65536', 'x-max-bites: 1']])
  t.match(await diff('base.yaml'), { status: 1, stdout: '', stderr: /^openapi\.yaml:\d+:\d+: .*x-max-bytes/ })
})
