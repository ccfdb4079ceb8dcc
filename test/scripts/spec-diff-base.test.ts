/**
 * The base of `npm run spec:diff`: a file, a git ref, or a default.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { newSpecFolder, smallerPages, toVersion } from './spec-folder.ts'

const wrong = { status: 2, stdout: '' }

t.setTimeout(150_000)

t.test('the base is a git ref, and by default the last tag, or else origin/main, or else HEAD', async (t) => {
  const { diff, git, write } = newSpecFolder(t)
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
  const { diff, folder, git, write } = newSpecFolder(t)
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
  const { diff, write } = newSpecFolder(t)
  write('openapi.yaml', [/x-max-bytes: \d+/, 'x-max-bites: 1'])
  const { status, stdout, stderr } = await diff(['base.yaml'])
  t.strictSame({ status, stdout }, { status: 1, stdout: '' })
  t.match(stderr, /^openapi\.yaml:\d+:\d+: .*x-max-bytes/)
})
