import { chmodSync, readdirSync } from 'node:fs'
import t from 'tap'
import { startProgram } from './process.ts'
import { temporaryFolder } from './temporary.ts'
import { waitUntil } from './wait.ts'

for (const state of ['starting', 'running', 'frozen', 'stopped'] as const) {
  t.test(`a server that is ${state} ends with the process that started it, and leaves nothing behind`, async (t) => {
    const folder = temporaryFolder(t)
    // Where tests run as root, PostgreSQL does not.
    chmodSync(folder, 0o755)
    const program = `
      import { readFileSync } from 'node:fs'
      import { startPostgres } from '${import.meta.resolve('./postgres-server.ts')}'
      const server = await startPostgres({ isOnDisk: true })
      const [pid] = readFileSync(server.folder + '/data/postmaster.pid', 'utf8').split('\\n')
      if ('${state}' === 'frozen') await server.freeze()
      if ('${state}' === 'stopped') await server.stop()
      console.log('server', pid)
      setInterval(() => {}, 1000)`
    const { output, kill, ended } = startProgram(t, program, { env: { TMPDIR: folder } })
    const getPid = () => Number(/^server (\d+)\n/.exec(output())?.[1])
    await waitUntil(() => (state === 'starting' ? readdirSync(folder).length > 0 : getPid() > 0))
    const pid = getPid()
    kill('SIGKILL')
    await ended
    await waitUntil(() => readdirSync(folder).length === 0)
    await waitUntil(() => Number.isNaN(pid) || !isAlive(pid))
  })
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
