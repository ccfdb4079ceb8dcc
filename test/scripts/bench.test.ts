import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runScript, startScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'

// Shorter ones may take no time that /proc counts, in hundredths of a second.
const tiny = ['--animals', '150', '--connections', '4', '--rounds', '1', '--seconds', '0.7']

t.test('the service and its floor are measured with each workload, and held to limits on demand', async (t) => {
  const { status, stdout, stderr } = await runScript(t, 'bench', [...tiny, '--json', '--check'])
  const { results, processes } = JSON.parse(stdout)
  const { stdout: help } = await runScript(t, 'bench', ['--help'])
  const limits = [...help.matchAll(/\b(list|fetch|add) (\d\.\d+)\b/g)]
  t.same(Object.keys(results), ['list', 'fetch', 'add'])
  t.equal(limits.length, 3)
  const missed = limits.filter(([, name = '', limit]) => results[name].ratio < Number(limit))
  t.equal(status, missed.length > 0 ? 1 : 0, stderr)
  for (const [, name, limit] of missed) t.match(stderr, new RegExp(`^${name}: the ratio \\S+ is below ${limit}$`, 'm'))
  for (const { service, floor, ratio } of Object.values<typeof results.list>(results)) {
    t.ok(ratio > 0 && ratio < Number.POSITIVE_INFINITY)
    for (const { requestsPerSecond } of [service, floor]) t.ok(requestsPerSecond > 0)
  }
  for (const { startMs, idleMiB, afterMiB } of [processes.service, processes.floor]) {
    t.ok(startMs > 0 && idleMiB > 0 && afterMiB > 0)
  }
})

t.test('an interrupted bench leaves nothing behind', async (t) => {
  const folder = temporaryFolder(t)
  const bench = startScript(t, 'bench', [...tiny, '--seconds', '60'], { env: { TMPDIR: folder } })
  await waitUntil(() => readdirSync(folder).some((name) => existsSync(join(folder, name, 'animals.db'))))
  bench.kill('SIGTERM')
  t.equal((await bench.ended).status, 1)
  t.same(
    readdirSync(folder).filter((name) => name.startsWith('animal-store-bench-')),
    [],
  )
})
