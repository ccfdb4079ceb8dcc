/** `npm run spec:diff`: the part of the version that each change needs, and the base of the comparison. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { runScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

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

/** Expects the edits to be these changes, each without its place and reason. */
async function expectChanges(
  t: Test,
  edits: readonly Edit[],
  expected: readonly string[],
  baseEdits: readonly Edit[] = [],
) {
  const { stdout, stderr } = await newFolder(t, edits, baseEdits).diff('base.yaml')
  const lines = [...stdout.matchAll(/^(?:major|minor|patch) .*$/gm)].map(([line]) =>
    line.replace(/ +\S+:\d+:\d+ +/, ' '),
  )
  t.same(lines, expected, stderr)
}

/** The text from one line of the spec to another. */
function section(from: string, to: string): string {
  return source.slice(source.indexOf(from), source.indexOf(to))
}

t.test('each change has its place and the reason, and info.version must allow the largest', async (t) => {
  const edits: Edit[] = [['version: 1.4.2, description: Things.', 'version: 1.4.2, description: All.'], smallerPages]
  const { diff, write } = newFolder(t, [...edits, ['operationId: listParts', 'operationId: findParts']])
  t.strictSame(await diff('base.yaml'), {
    status: 1,
    stdout: `major  openapi.yaml:95:50  paths /things get parameters 0 schema maximum: 100 → 50
       Upper bound of \`Limit\` changed from '<= 100' to '<= 50'.
minor  openapi.yaml:59:20  paths /things/{id}/parts get operationId: "listParts" → "findParts"
       \`operationId\` of operation \`GET /things/{id}/parts\` changed from 'listParts' to 'findParts'.
       A minor version may do that: the operation is not stable, or its sunset is past.
patch  openapi.yaml:3:51  info description: "Things." → "All."
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
    stdout: `patch  openapi.yaml:116:40  components schemas Unused maxLength: 5 → 4
patch  openapi.yaml:29:16  paths /things post summary: modified
patch  openapi.yaml:9:7  tags: added
       It is documentation.
3 changes since 1.4.2 (base.yaml); info.version 1.4.2 allows that
`,
    stderr: '',
  })
})

t.test('what clients send or read, and is refused or differs, needs a major version', async (t) => {
  const variable = (value: string): Edit => [
    '{ url: https://shop.example/v1, description: Production }',
    `{ url: "https://{shop}.example/v1", variables: { shop: { default: ${value} } } }`,
  ]
  const put: Edit[] = [
    ['delete:', 'put:'],
    ['2021-01-01', '2041-01-01'],
  ]
  const body = '      requestBody: { required: true, x-max-bytes: 9, content: { application/json: { schema: {} } } }\n'
  const errorBody = 'responses 400 content application/json schema properties'
  await expectChanges(
    t,
    [
      variable('store'),
      ...put,
      ['operationId: removeOld\n', `operationId: removeOld\n${body}`],
      ['default: 20', 'default: 10'],
      ['required: [name]', 'required: [name, size]'],
      ['minimum: 0, default: 1', 'minimum: 0'],
      ['x-max-bytes: 65536', 'x-max-bytes: 1024\n        x-max-depth: 5'],
      ['86400', '3600'],
      ['- Key: [read]\n', '- Key: [read, list]\n'],
      ['      security:\n        - Key: [read, write]\n', ''],
      ['Total: { required: true,', 'Total: {'],
      ['[id, name, kind]', '[id, name]'],
      ['[small, large]', '[small, large, huge]'],
      ['[late, early]', '[early]'],
      ['x-extensible-enum: [kg]', 'description: Any unit.'],
      ['"204": { description: Added. }', '"201": { description: Added. }'],
    ],
    [
      'major paths /old put requestBody: added',
      'major paths /things get parameters 0 schema default: 20 → 10',
      'major paths /things get parameters 1 schema enum: ["small","large"] → ["small","large","huge"]',
      'major paths /things get responses 200 content application/json schema items required: ["id","name","kind"] → ["id","name"]',
      'major paths /things get responses 200 headers Total required: true → none',
      `major paths /things get ${errorBody} reason x-extensible-enum: ["late","early"] → ["early"]`,
      `major paths /things get ${errorBody} unit x-extensible-enum: ["kg"] → none`,
      'major paths /things post parameters 0 x-idempotency-ttl-seconds: 86400 → 3600',
      'major paths /things post requestBody x-max-bytes: 65536 → 1024',
      'major paths /things post requestBody x-max-depth: none → 5',
      'major paths /things post requestBody content application/json schema required: ["name"] → ["name","size"]',
      'major paths /things post requestBody content application/json schema properties size default: 1 → none',
      'major paths /things post responses 201 key: "204" → "201"',
      'major paths /things post security: removed',
      'major security 0 Key: ["read"] → ["read","list"]',
      'major servers 0 variables shop default: "shop" → "store"',
      `patch paths /things get ${errorBody} unit description: none → "Any unit."`,
    ],
    [variable('shop'), ...put],
  )
})

t.test('promises about the life of an operation that are broken need a major version', async (t) => {
  const later = section(
    '      deprecated: true\n      x-deprecated-since: 2020-01-01\n      x-sunset: 2021',
    '      responses:\n        "204": { description: Removed',
  )
  await expectChanges(
    t,
    [
      ['operationId: listThings', 'operationId: listThings\n      x-stability-level: experimental'],
      ['2030-06-30', '2029-06-30'],
      [section('    post:', '  /things/{id}:'), ''],
    ],
    [
      'major paths /old delete x-sunset: none → "2021-01-01"',
      'major paths /things get x-stability-level: none → "experimental"',
      'major paths /things post: removed',
      'major paths /things/{id} get x-sunset: "2030-06-30" → "2029-06-30"',
      'minor paths /old delete deprecated: none → true',
      'patch paths /old delete x-deprecated-since: none → "2020-01-01"',
    ],
    [[later, '']],
  )
})

t.test('what clients can use, and what they are told, needs a minor version', async (t) => {
  const count = '  /count:\n    get: { operationId: count, responses: { "204": { description: None. } } }\n  /old:\n'
  await expectChanges(
    t,
    [
      ['  /old:\n', count],
      ['maximum: 100', 'maximum: 200'],
      ['65536', '99999'],
      ['86400', '99999'],
      ['        size: {', '        colour: { type: string }\n        size: {'],
      ['[invalid, unknown]', '[invalid, unknown, new]'],
      [
        'operationId: addThing',
        'operationId: addThing\n      deprecated: true\n      x-deprecated-since: 2026-01-01\n      x-sunset: 2040-01-01',
      ],
    ],
    [
      'minor paths /count: added',
      'minor paths /things get parameters 0 schema maximum: 100 → 200',
      'minor paths /things get responses 400 content application/json schema properties code x-extensible-enum: ["invalid","unknown"] → ["invalid","unknown","new"]',
      'minor paths /things post deprecated: none → true',
      'minor paths /things post x-sunset: none → "2040-01-01"',
      'minor paths /things post parameters 0 x-idempotency-ttl-seconds: 86400 → 99999',
      'minor paths /things post requestBody x-max-bytes: 65536 → 99999',
      'minor paths /things post requestBody content application/json schema properties colour: added',
      'patch paths /things post x-deprecated-since: none → "2026-01-01"',
    ],
  )
})

t.test('an operation that is not stable, or past its sunset, breaks clients with a minor version', async (t) => {
  const named: Edit = ['items: { type: string }', 'items: { $ref: "#/components/schemas/Name" }']
  await expectChanges(
    t,
    [
      named,
      ['maxItems: 10', 'maxItems: 20'],
      [section('  /old:', 'components:'), ''],
      // A component may be used by stable operations.
      ['maxLength: 40', 'maxLength: 20'],
    ],
    [
      'major paths /things get responses 200 content application/json schema items properties name maxLength: 40 → 20',
      'minor paths /old: removed',
      'minor paths /things/{id}/parts get responses 200 content application/json schema maxItems: 10 → 20',
    ],
    [named],
  )
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
  writeFileSync(join(folder, 'wrong.yaml'), 'openapi: [')
  t.strictSame(await diff('wrong.yaml'), { ...wrong, stderr })
  for (const edit of [toVersion('one'), ['openapi: 3.1.0', 'openapi: 3.9.0']] as const) {
    write('wrong.yaml', edit)
    t.strictSame(await diff('wrong.yaml'), { ...wrong, stderr })
  }
})

t.test('a spec that cannot be served is not compared', async (t) => {
  const { diff } = newFolder(t, [['x-max-bytes: 65536', 'x-max-bites: 1']])
  t.match(await diff('base.yaml'), { status: 1, stdout: '', stderr: /^openapi\.yaml:\d+:\d+: .*x-max-bytes/ })
})
