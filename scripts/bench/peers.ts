/** Measures the OpenAPI layer beside its peers: small servers that do the same job, each with other packages. */
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Amount, sendLoad, workloads } from './load.ts'
import { checkResponses, PAGE_PATH, pets } from './responses.ts'
import { createFolder, key, readUsage, root, type Server, startServer } from './server.ts'
import { getMedian, getMiddleHalf, printMachine } from './table.ts'
import { measureInTurns } from './turns.ts'

interface Peer {
  /** The program in the folder peers/. */
  readonly program: string
  /** What the table calls it, if not by the packages alone. */
  readonly title?: string
  /** The packages whose versions the table names. */
  readonly packages: readonly string[]
}

const FLOOR: Peer = { program: 'node-http.mjs', title: 'bare `node:http`', packages: [] }

const PEERS: readonly Peer[] = [
  FLOOR,
  { program: 'layer.mjs', title: 'this layer', packages: ['fastify'] },
  { program: 'fastify-openapi-glue.mjs', packages: ['fastify-openapi-glue', 'fastify'] },
  { program: 'express-openapi-validator.mjs', packages: ['express-openapi-validator', 'express'] },
  { program: 'hono-zod-openapi.mjs', packages: ['@hono/zod-openapi', 'hono', '@hono/node-server'] },
]

/** Measures all servers in turns; prints a Markdown table with a column for each. */
export async function measurePeers({ rounds, seconds }: Pick<Amount, 'rounds' | 'seconds'>): Promise<void> {
  const folder = createFolder()
  printMachine()
  const versions = installPackages(folder)
  const date = new Date().toISOString().slice(0, 10)
  console.log(`${date}, medians of ${rounds} rounds of ${seconds} s, with the middle half of the rounds\n`)
  printRow('', ...PEERS.map((peer) => formatPeer(peer, versions)))
  printRow('---', ...PEERS.map(() => '---'))

  const servers: Server[] = []
  for (const peer of PEERS) servers.push(await startPeer(peer, folder))
  const amount = { rounds, seconds, animals: pets.length, pageSize: pets.length }
  for (const workload of workloads) {
    const loads = await measureInTurns(servers, rounds, (server) => sendLoad(server, workload, amount))
    // The requests in a second of processor time: the load alone does not occupy a fast server.
    const rates = loads.map((round) => round.map(({ cpuMicros }) => 1e6 / cpuMicros))
    printRow(workload, ...servers.map((_, index) => formatRates(rates, index)))
  }
  const memory = servers.map(({ pid }) => readUsage(pid).memoryMiB)
  const starts = await measureInTurns(PEERS, rounds, async (peer) => {
    const server = await startPeer(peer, folder)
    await server.stop()
    return server.startMs
  })
  printRow('first response, ms', ...servers.map((_, index) => formatMedian(getColumn(starts, index), 0)))
  printRow('memory, MiB', ...memory.map((mebibytes) => mebibytes.toFixed(0)))
}

/** Installs the packages of all servers, and the layer as other projects get it; returns the versions by name. */
function installPackages(folder: string): Readonly<Record<string, string>> {
  cpSync(join(import.meta.dirname, 'peers'), folder, { recursive: true })
  runNpm(root, 'run', '--silent', 'pack', '--', folder)
  const layer = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  const { fastify } = readDependencies(root)
  const options = ['--save-exact', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
  runNpm(folder, 'install', '--loglevel=error', ...options, `fastify@${fastify}`, ...layer.map((name) => `./${name}`))
  return readDependencies(folder)
}

function runNpm(cwd: string, ...args: readonly string[]): void {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

function readDependencies(folder: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies
}

/** Starts a server, and checks its responses. */
async function startPeer(peer: Peer, folder: string): Promise<Server> {
  const env = { API_KEY: key, PETS: JSON.stringify(pets), NODE_ENV: 'production' }
  const server = await startServer([process.execPath, peer.program], env, folder, PAGE_PATH)
  await checkResponses(server, peer.program, peer !== FLOOR)
  return server
}

function formatPeer({ title, packages }: Peer, versions: Readonly<Record<string, string>>): string {
  return [title ?? [], packages.map((name) => `${name} ${versions[name]}`)].flat().join(', ')
}

/** Formats the requests/s of a server: of the floor, the number, and of the others, multiples of it. */
function formatRates(rounds: readonly (readonly number[])[], index: number): string {
  const floorRates = getColumn(rounds, 0)
  if (index === 0) return `1 = ${getMedian(floorRates).toFixed(0)} requests/s`
  return formatMedian(
    getColumn(rounds, index).map((rate, round) => rate / (floorRates[round] as number)),
    2,
  )
}

/** Returns the figures of one server in all rounds. */
function getColumn(rounds: readonly (readonly number[])[], index: number): number[] {
  return rounds.map((round) => round[index] as number)
}

function formatMedian(values: readonly number[], digits: number): string {
  const [lowest, highest] = getMiddleHalf(values).map((value) => value.toFixed(digits))
  return `${getMedian(values).toFixed(digits)} (${lowest} to ${highest})`
}

function printRow(title: string, ...cells: readonly string[]): void {
  console.log(`| ${[title, ...cells].join(' | ')} |`)
}
