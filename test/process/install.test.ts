/** The installation on a machine: which Node the commands run on, and what is said if there is none. */
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { startCommand } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const root = join(import.meta.dirname, '../..')
/** What the dynamic linker says of Node 26 on a fresh Debian 12. */
const linkerError = 'error while loading shared libraries: libatomic.so.1: cannot open shared object file'

/** Makes a checkout without packages. */
function createCheckout(t: Test): string {
  const folder = temporaryFolder(t)
  for (const name of ['package.json', 'scripts']) cpSync(join(root, name), join(folder, name), { recursive: true })
  return folder
}

/** Writes a program that stands for a Node of another machine. */
function writeNode(file: string, script: string): string {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return file
}

t.test('without packages, a start says what to run', async (t) => {
  const folder = createCheckout(t)
  const stderr = /this checkout has no packages, or their Node is gone; run: npm ci\n/
  t.match(await startCommand(t, ['npm', 'start'], { folder }).waitForEnd(), { status: 1, stderr })
})

for (const { name, script } of [
  { name: 'cannot run', script: `echo '${linkerError}' >&2; exit 127` },
  { name: 'is not installed', script: undefined },
]) {
  t.test(
    `if the Node of the packages ${name}, an installation takes the one of npm, or names what is missing`,
    async (t) => {
      const folder = createCheckout(t)
      const node = join(folder, 'node_modules/.bin/node')
      mkdirSync(dirname(node), { recursive: true })
      if (script !== undefined) writeNode(node, script)
      const install = (npm_node_execpath: string) =>
        startCommand(t, ['scripts/install-node'], { folder, env: { npm_node_execpath } }).waitForEnd()

      for (const version of ['v18.20.4', 'v24.3.0']) {
        const { status, stderr } = await install(writeNode(join(folder, 'old-node'), `echo ${version}`))
        t.equal(status, 1)
        if (script !== undefined) t.match(stderr, linkerError)
        t.match(stderr, `${folder}/old-node (${version}) is older than 24.4.\n`)
        t.match(stderr, 'install the package libatomic1 (Debian, Ubuntu)')
      }

      const taken = await install(process.execPath)
      t.match(taken, { status: 0, stderr: `${process.execPath} (${process.version}) takes its place.\n` })
      t.match(await startCommand(t, [node, '--version']).waitForEnd(), { status: 0, stdout: `${process.version}\n` })
      t.match(await install('/none'), { status: 0, stdout: `${process.version}\n`, stderr: '' }, 'and keeps it')
    },
  )
}
