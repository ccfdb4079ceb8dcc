import { existsSync } from 'node:fs'
import t from 'tap'
import { startProgram } from './process.ts'
import { waitUntil } from './wait.ts'

t.test('a server ends with the process that started it, and leaves nothing behind', async (t) => {
  const program = `
    import { startPostgres } from '${import.meta.resolve('./postgres-server.ts')}'
    const { folder } = await startPostgres()
    console.log(folder)
    setInterval(() => {}, 1000)`
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const { output, kill } = startProgram(t, program)
    const folder = (await waitUntil(() => /^.+(?=\n)/.exec(output())))[0]
    t.ok(existsSync(folder))
    kill(signal)
    await waitUntil(() => !existsSync(folder))
  }
})
