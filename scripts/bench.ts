/**
 * What a request costs, as ratios within one run: each operation of the service against a bare Fastify server that sends
 * bytes of the same length and does nothing else. The two take turns, so that a machine that speeds up or slows down
 * meanwhile does so for both. Run it with: npm run bench [-- SECONDS]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { createKey } from '../src/auth/keys.ts'
import { median } from './lib/measure.ts'
import { createProgress } from './lib/progress.ts'

/** How often each pair is measured; the median counts. */
const ROUNDS = 5

const seconds = Number(process.argv[2] ?? 2)
const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'))
const key = createKey()
const children: ChildProcess[] = []

const bare = `
import Fastify from 'fastify'
const app = Fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async () => undefined)
app.all('/:length', async (request, reply) =>
  reply.type('application/json; charset=utf-8').send('x'.repeat(Number(request.params.length))))
await app.listen({ port: Number(process.env.PORT) })
console.log('listening')
`

try {
  await main()
} finally {
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true })
}

async function main(): Promise<void> {
  const service = 'http://127.0.0.1:3901/v1/pets'
  const baseline = 'http://127.0.0.1:3902'
  await start(['src/main.ts'], {
    PORT: '3901',
    API_KEYS: key,
    DATABASE_URL: `sqlite:${folder}/bench.db`,
    LOG_LEVEL: 'warn',
  })
  await start(['--input-type=module', '--eval', bare], { PORT: '3902' })

  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  const create = { method: 'POST' as const, body }
  for (let count = 0; count < 100; count++) await fetch(service, { headers, ...create })

  const cases = [
    { name: 'getPet', url: `${service}/7`, request: {} },
    { name: 'listPets, 20 animals', url: service, request: {} },
    { name: 'listPets, 100 animals', url: `${service}?limit=100`, request: {} },
    { name: 'getPet, 401', url: `${service}/7`, request: { headers: {} } },
    { name: 'createPet, 400', url: service, request: { method: 'POST' as const, body: '{"name":""}' } },
    { name: 'createPet', url: service, request: create },
  ]
  const progress = createProgress('measuring, round', cases.length * ROUNDS)
  let round = 0
  const rows = [['operation', 'requests/s', 'bare Fastify', 'time ratio']]
  for (const { name, url, request } of cases) {
    const answer = await fetch(url, { headers, ...request })
    const { byteLength } = await answer.arrayBuffer()
    const rates: [ours: number, theirs: number][] = []
    while (rates.length < ROUNDS) {
      const ours = await rate({ url, headers, ...request })
      const theirs = await rate({ url: `${baseline}/${byteLength}`, headers, ...request })
      rates.push([ours, theirs])
      progress.update(++round)
    }
    rows.push([
      name,
      median(rates.map(([ours]) => ours)).toFixed(0),
      median(rates.map(([, theirs]) => theirs)).toFixed(0),
      median(rates.map(([ours, theirs]) => theirs / ours)).toFixed(2),
    ])
  }
  progress.end()
  for (const [operation = '', ...cells] of rows) {
    console.log(operation.padEnd(24) + cells.map((cell) => cell.padStart(15)).join(''))
  }
}

/** Starts a server and waits until it answers. */
async function start(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const child = spawn(process.execPath, args, { stdio: [...stdio], env: { ...process.env, LOG_LEVEL: 'info', ...env } })
  children.push(child)
  await fetchUntil(`http://127.0.0.1:${env.PORT}/health`, child)
}

async function fetchUntil(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt++) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`nothing answers at ${url}`)
}

/** Requests a second, over ten connections. */
async function rate(options: autocannon.Options): Promise<number> {
  const result = await autocannon({ connections: 10, duration: seconds, ...options })
  return result.requests.average
}
