import { existsSync, globSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sendLoad } from '../../scripts/bench/load.ts'
import { startServer } from '../../scripts/bench/server.ts'
import { runScript, startScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'

const tiny = ['--animals', '150', '--rounds', '1']

t.test('the service and its floor are measured with each workload, and held to limits on demand', async (t) => {
  const { status, stdout, stderr } = await runScript(t, 'bench', [...tiny, '--seconds', '0.3', '--check'])
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

t.test('this checkout is measured beside another commit, with each workload and the start', async (t) => {
  const folder = temporaryFolder(t)
  const env = { TMPDIR: folder }
  const args = [...tiny, '--seconds', '0.3', '--compare', 'HEAD']
  const { status, stdout, stderr } = await runScript(t, 'bench', args, { env })
  t.strictSame([status, stderr], [0, ''])
  const rows = stdout.trimEnd().split('\n').slice(-8)
  const names = ['start', 'list', '', 'fetch', '', 'add', '', 'memory']
  t.same(
    rows.map((row) => row.slice(0, 10).trim()),
    names,
  )
  for (const row of rows) {
    const [own = 0, other = 0, ratio = 0] = row.match(/\d+\.\d+/g)?.map(Number) ?? []
    const expected = row.includes('requests/s') ? own / other : other / own
    t.ok(own > 0 && other > 0 && Math.abs(ratio - expected) < 0.02, row)
  }
  t.same(
    readdirSync(folder).filter((name) => name.startsWith('animal-store-bench-')),
    [],
  )

  const wrong = await runScript(t, 'bench', ['--compare', 'no-such-ref'])
  const message = '"no-such-ref" is no commit here; name a branch, a tag or a hash\n'
  t.strictSame(wrong, { status: 2, stdout: '', stderr: message })
})

t.test('a store of another size is measured, and printed as a row of a table in Markdown', async (t) => {
  const { status, stdout, stderr } = await runScript(t, 'bench', [
    '--scale',
    '150',
    '--rounds',
    '1',
    '--seconds',
    '0.3',
  ])
  t.strictSame([status, stderr], [0, ''])
  const [header = [], , row = [], ...others] = stdout
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
  t.same([row.length, others], [header.length, []])
  const [, animals, store, additions, fetches, pages, memory, , start] = row
  t.same([animals, store], ['150', 'SQLite'])
  for (const cell of [additions, fetches, pages, memory, start]) t.ok(Number.parseFloat(String(cell)) > 0, String(cell))
})

t.test('the layer is measured beside its peers, with a column for each in a table in Markdown', async (t) => {
  const folder = temporaryFolder(t)
  const args = ['--peers', '--rounds', '1', '--seconds', '0.3']
  const bench = startScript(t, 'bench', args, { env: { TMPDIR: folder } })
  const waitFor = (look: () => boolean) => waitUntil(() => look() || bench.outcome() !== undefined)
  // Steps, each of which takes less than the minute after which a wait gives up.
  await waitFor(() => globSync('animal-store-bench-*/*.tgz', { cwd: folder }).length > 0)
  const titles = ['---', 'list', 'fetch', 'add', 'first response, ms', 'memory, MiB']
  for (const title of titles) await waitFor(() => bench.output().includes(`\n| ${title} |`))
  t.match(await bench.waitForEnd(), { status: 0, stderr: '' })

  const [header = [], ...rows] = bench
    .output()
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split(' | '))
  const servers = ['bare', 'this', 'fastify-openapi-glue', 'express-openapi-validator', '@hono/zod-openapi']
  t.same(
    header.slice(1).map((cell) => cell.split(' ')[0]),
    servers,
  )
  t.same(
    rows.map(([title]) => title),
    titles.map((title) => `| ${title}`),
  )
  for (const cells of rows.slice(1)) {
    t.equal(cells.length, 1 + servers.length)
    t.ok(
      cells.slice(1).every((cell) => Number.parseFloat(cell) > 0),
      cells.join(' '),
    )
  }
})

t.test('options that exclude each other are wrong usage', async (t) => {
  for (const [args, message] of [
    [['--scale', '1', '--compare', 'HEAD'], '--check, --compare, --scale and --peers exclude each other; use one'],
    [['--postgres', 'postgres://localhost/postgres'], '--postgres is for --scale; use both'],
    [['--seconds', '0.0'], '--seconds: "0.0" is not possible; use a number such as 2 or 0.5'],
    [['--scale', '1,x'], '--scale: "x" is not possible; use an integer from 1 to 999999999'],
  ] as const) {
    t.strictSame(await runScript(t, 'bench', args), { status: 2, stdout: '', stderr: `${message}\n` })
  }
})

t.test('a server that a signal ends while it starts is an error', async (t) => {
  const command = [process.execPath, '--eval', "process.kill(process.pid, 'SIGKILL')"]
  await t.rejects(startServer(command, {}, temporaryFolder(t)), { message: 'a server does not start' })
})

t.test('requests without a response count as failed', async (t) => {
  // It closes its port after the first response.
  const program = `const server = require('node:http').createServer((request, response) => server.close(response.end()))
    setInterval(() => {}, 1000)
    server.listen(process.env.PORT, process.env.HOST)`
  const server = await startServer([process.execPath, '--eval', program], {}, temporaryFolder(t))
  t.teardown(server.stop)
  const load = sendLoad(server, 'list', { animals: 1, rounds: 1, seconds: 0.3 })
  await t.rejects(load, { message: /^list: ([1-9]\d*) of \1 requests failed$/ })
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
