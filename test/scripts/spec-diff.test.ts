/**
 * `npm run spec:diff` and `npm run spec:changelog` as they are run: what they print, and how they exit.
 */
import t from 'tap'
import { formatChangelog } from '../../scripts/spec-diff/report.ts'
import { edited, newSpecFolder, smallerPages, toVersion } from './spec-folder.ts'

t.setTimeout(150_000)

t.test('each change has its place and its meaning, and info.version must allow the largest', async (t) => {
  const { diff, write } = newSpecFolder(t)
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

t.test('a version that is too small, lower than before or malformed is refused', async (t) => {
  const { diff, write } = newSpecFolder(t)
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
  const { diff, write } = newSpecFolder(t)
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

t.test('help is printed, and wrong usage is reported in one line with the exit status 2', async (t) => {
  const { diff } = newSpecFolder(t)
  for (const option of ['--help', '-h']) {
    const { status, stdout, stderr } = await diff([option, 'base.yaml'])
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
    [['--chek'], "unknown option '--chek'"],
    [['base.yaml', 'HEAD'], 'there are too many arguments'],
    [['--changelog'], 'BASE is missing'],
  ] as const) {
    t.strictSame(await diff(args), {
      status: 2,
      stdout: '',
      stderr: `${message}; see npm run spec:diff -- --help\n`,
    })
  }
})
