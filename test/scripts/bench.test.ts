import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runScript, startScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'

const tiny = ['--animals', '150', '--rounds', '1']

t.test('the service and its floor are measured with each workload, and held to limits on demand', async (t) => {
  const { status, stdout, stderr } = await runScript(t, 'bench', [...tiny, '--seconds', '1', '--check'])
  const { stdout: help } = await runScript(t, 'bench', ['--help'])
  const rows = stdout.split('\n').map((line) => line.split(/ {2,}/))
  const limits = [...help.matchAll(/\b(list|fetch|add) (\d\.\d+)\b/g)]
  t.equal(limits.length, 3)
  const missed = limits.flatMap(([, name = '', limit]) => {
    const [, ...cells] = rows.find(([title]) => title === name) ?? []
    const [perSecond = 0, own = 0, floor = 0, ratio = 0] = cells.map(Number)
    t.ok(perSecond > 0 && own > 0 && floor > 0, name)
    t.ok(Math.abs(ratio - floor / own) < 0.01, name)
    return ratio < Number(limit) ? [`${name}: the ratio ${cells[3]} is below ${limit}\n`] : []
  })
  t.strictSame([status, stderr], [missed.length > 0 ? 1 : 0, missed.join('')])
  for (const name of ['service', 'floor']) {
    const [, ...cells] = rows.find(([title]) => title === name) ?? []
    t.ok(cells.length === 3 && cells.every((cell) => Number(cell) > 0), name)
  }
})

t.test('an interrupted bench leaves nothing behind', async (t) => {
  const folder = temporaryFolder(t)
  const bench = startScript(t, 'bench', [...tiny, '--seconds', '60'], { env: { TMPDIR: folder } })
  await waitUntil(() => readdirSync(folder).some((name) => existsSync(join(folder, name, 'animals.db'))))
  bench.kill('SIGTERM')
  t.equal((await bench.waitForEnd()).status, 1)
  t.same(
    readdirSync(folder).filter((name) => name.startsWith('animal-store-bench-')),
    [],
  )
})
