/**
 * `npm run spec:diff` and `npm run spec:changelog` as they are run: what they compare with, what they print, and how they exit.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { formatChangelog } from '../../scripts/spec-diff/report.ts'
import { runScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const source = readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8').replace(
  /^ {2}version: .*$/m,
  '  version: 1.4.2',
)
const wrong = { status: 2, stdout: '' }
const seeHelp = 'see npm run spec:diff -- --help\n'

t.setTimeout(150_000)

/** A folder with a spec as its base.yaml and as its openapi.yaml, which an edit may change. */
function newFolder(t: Test) {
  const folder = temporaryFolder(t)
  const write = (name: string, ...edits: readonly (readonly [pattern: RegExp, replacement: string])[]) => {
    const text = edits.reduce((before, [pattern, replacement]) => before.replace(pattern, replacement), source)
    if (edits.length > 0) t.not(text, source, 'the spec has what is edited')
    writeFileSync(join(folder, name), text)
  }
  write('base.yaml')
  write('openapi.yaml')
  // The repository of a hook that runs the tests must not matter.
  const env = { GIT_DIR: undefined, GIT_INDEX_FILE: undefined, GIT_CEILING_DIRECTORIES: join(folder, '..') }
  return {
    folder,
    write,
    diff: (args: readonly string[], coverage = false) => runScript(t, 'spec-diff', args, { folder, env, coverage }),
    git: (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: 'pipe',
      }),
  }
}

/** Makes the maximum of a page smaller, which breaks clients. */
const smallerPages = [/maximum: 100$/m, 'maximum: 50'] as const
const edited = [/A catalogue of animals for sale\./, 'Animals for sale.'] as const
const toVersion = (version: string) => [/^ {2}version: .*$/m, `  version: ${version}`] as const

t.test('each change has its place and its meaning, and info.version must allow the largest', async (t) => {
  const { diff, write } = newFolder(t)
  write('openapi.yaml', smallerPages, edited)
  const { status, stdout, stderr } = await diff(['base.yaml'], true)
  t.equal(status, 1)
  t.match(
    stdout,
    new RegExp(
      [
        "^major {2}openapi\\.yaml:\\d+:7 {2}Upper bound of `Limit` changed from '<= 100' to '<= 50'\\.",
        ' {7}Requests that are valid until now may be refused\\. \\[GET /pets\\]',
        'patch {2}openapi\\.yaml:\\d+:3 +`summary` of info was edited\\. Clients need not change\\.',
        '$',
      ].join('\n'),
    ),
  )
  const place = /^openapi\.yaml:\d+:3: /.exec(stderr)?.[0] ?? 'no place'
  t.equal(
    stderr,
    `${place}2 changes since 1.4.2 (base.yaml), and info.version is 1.4.2; write 2.0.0 or a later version\n`,
  )

  write('openapi.yaml', smallerPages, toVersion('2.0.0'))
  const allowed = await diff(['base.yaml'], true)
  t.strictSame({ status: allowed.status, stderr: allowed.stderr }, { status: 0, stderr: '' })
  t.match(allowed.stdout, /\n1 change since 1\.4\.2 \(base\.yaml\); info\.version 2\.0\.0 allows that\n$/)
})

t.test('a version that is too small, went back or is none is refused', async (t) => {
  const { diff, write } = newFolder(t)
  for (const [edits, needed] of [
    [[smallerPages, toVersion('1.5.0')], '2.0.0'],
    [[toVersion('1.4.1')], '1.4.2'],
    [[toVersion('next')], '1.4.2'],
  ] as const) {
    write('openapi.yaml', ...edits)
    const { status, stderr } = await diff(['base.yaml'])
    t.equal(status, 1)
    t.match(stderr, new RegExp(`^openapi\\.yaml:\\d+:3: .*; write ${needed} or a later version\\n$`))
  }
})

t.test('a changelog is Markdown, whatever the version', async (t) => {
  const { diff, write } = newFolder(t)
  write('openapi.yaml', smallerPages, edited, [/^ {8}- headers_too_large$/m, '$&\n        - new_code'])
  const { status, stdout, stderr } = await diff(['--changelog', 'base.yaml'], true)
  t.strictSame({ status, stderr }, { status: 0, stderr: '' })
  t.equal(
    stdout.replaceAll(/yaml:\d+:\d+/g, 'yaml:LINE'),
    `# 1.4.2

What has changed in the interface since 1.4.2 (base.yaml).

## Breaking changes

- Upper bound of \`Limit\` changed from '<= 100' to '<= 50'. Requests that are valid until now may be refused. [GET /pets] (\`openapi.yaml:LINE\`)

## Compatible changes

- \`x-extensible-enum\` of ErrorCode was edited. Clients must expect values that they do not know; new: "new_code". [every operation] (\`openapi.yaml:LINE\`)

## Other changes, after which clients need not change

- \`summary\` of info was edited. (\`openapi.yaml:LINE\`)
`,
  )
})

t.test('a changelog has no empty sections, and names operations once', async (t) => {
  t.match(formatChangelog([], '1.4.2 (v1.4.2)', '1.4.3'), /^# 1\.4\.3\n\n.*\n\nNothing\.\n$/)
  const change = { place: 'openapi.yaml:7:3', what: 'GET /pets was added.', meaning: 'Clients may use it.' }
  t.equal(
    formatChangelog([{ ...change, bump: 'minor', operations: ['GET /pets'] }], '1.4.2 (v1.4.2)', '1.5.0'),
    `# 1.5.0

What has changed in the interface since 1.4.2 (v1.4.2).

## Compatible changes

- GET /pets was added. Clients may use it. (\`openapi.yaml:7:3\`)
`,
  )
})

t.test('the base is a git ref, and by default the last tag, or else origin/main, or else HEAD', async (t) => {
  const { diff, git, write } = newFolder(t)
  const expectUnchanged = async (base: string, coverage = false) => {
    const stdout = `no changes since 1.4.2 (${base}); info.version 1.4.2 allows that\n`
    t.strictSame(await diff([], coverage), { status: 0, stdout, stderr: '' })
  }
  git('init', '--quiet', '--initial-branch=main')
  git('add', 'openapi.yaml')
  git('commit', '--quiet', '--message=The first')
  await expectUnchanged('HEAD', true)
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  await expectUnchanged('origin/main')
  git('tag', 'v1.4.2')
  await expectUnchanged('v1.4.2')

  write('openapi.yaml', smallerPages)
  git('commit', '--quiet', '--all', '--message=The second')
  t.match(await diff([]), { status: 1, stderr: /since 1\.4\.2 \(v1\.4\.2\)/ }, 'the tag is before the change')
  t.match(await diff(['HEAD']), { status: 0, stdout: /^no changes since 1\.4\.2 \(HEAD\)/ })
  write('HEAD')
  t.match(await diff(['HEAD']), { status: 1, stderr: /^openapi.*1 change since/ }, 'a file comes before a ref')
})

t.test('without a base that can be read, the exit status is 2', async (t) => {
  const { diff, folder, git, write } = newFolder(t)
  const noBase = 'no tag, origin/main or HEAD has openapi.yaml; name a file or a git ref to compare with\n'
  t.strictSame(await diff([], true), { ...wrong, stderr: noBase })
  git('init', '--quiet')
  t.strictSame(await diff([]), { ...wrong, stderr: noBase })
  const unknown = 'nothing is neither a file nor a git ref that has openapi.yaml; name one of them\n'
  t.strictSame(await diff(['nothing'], true), { ...wrong, stderr: unknown })

  writeFileSync(join(folder, 'wrong.yaml'), 'openapi: [')
  t.match(await diff(['wrong.yaml']), { ...wrong, stderr: /^wrong\.yaml:1:\d+: / })
  write('wrong.yaml', toVersion('one'))
  const stderr = 'wrong.yaml is not OpenAPI 3 with an info.version such as 1.2.3; compare with another base\n'
  t.strictSame(await diff(['wrong.yaml'], true), { ...wrong, stderr })
  writeFileSync(join(folder, 'wrong.yaml'), 'swagger: "2.0"\n')
  t.strictSame(await diff(['wrong.yaml']), { ...wrong, stderr })

  writeFileSync(join(folder, 'openapi.yaml'), 'openapi: [')
  git('add', 'openapi.yaml')
  git('commit', '--quiet', '--message=Wrong')
  t.match(await diff(['HEAD'], true), { ...wrong, stderr: /^HEAD:openapi\.yaml:1:\d+: / })
})

t.test('a spec that cannot be served is not compared', async (t) => {
  const { diff, write } = newFolder(t)
  write('openapi.yaml', [/x-max-bytes: \d+/, 'x-max-bites: 1'])
  const { status, stdout, stderr } = await diff(['base.yaml'])
  t.strictSame({ status, stdout }, { status: 1, stdout: '' })
  t.match(stderr, /^openapi\.yaml:\d+:\d+: .*x-max-bytes/)
})

t.test('help is printed, and wrong usage is one line with the exit status 2', async (t) => {
  const { diff } = newFolder(t)
  for (const option of ['--help', '-h']) {
    const { status, stdout, stderr } = await diff([option, 'base.yaml'], option === '-h')
    t.strictSame({ status, stderr }, { status: 0, stderr: '' })
    for (const part of [
      'npm run spec:diff',
      'npm run spec:changelog',
      'BASE',
      'Options:',
      'Example:',
      'Exit status:',
    ]) {
      t.match(stdout, part)
    }
  }
  for (const [args, message] of [
    [['--chek'], 'unknown option --chek'],
    [['--changelog', '-x', 'base.yaml'], 'unknown option -x'],
    [['base.yaml', 'HEAD'], 'one BASE is enough'],
    [['--changelog'], 'a changelog needs a BASE'],
  ] as const) {
    t.strictSame(await diff(args, true), { ...wrong, stderr: `${message}; ${seeHelp}` })
  }
})
