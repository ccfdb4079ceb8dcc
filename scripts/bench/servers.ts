/**
 * The servers of a run: the service, and the floors with the responses of the service.
 */
import { join } from 'node:path'
import type { Catalogue, DatabaseName } from './catalogues.ts'
import { variable } from './floors/responses.ts'
import { exchange } from './load.ts'
import { type ServerProcess, startServer } from './processes.ts'
import type { ServerName } from './results.ts'
import {
  authorization,
  etagPath,
  formatHead,
  type RequestContext,
  type ResponseName,
  workloadNames,
  workloads,
} from './workloads.ts'

export interface ServersOptions {
  readonly database: DatabaseName
  readonly catalogue: Catalogue
  /** A folder for their logs. */
  readonly folder: string
  readonly key: string
  readonly animals: number
  readonly cpus: string | undefined
}

export interface Server extends ServerProcess {
  readonly name: ServerName
  /** The memory before the first workload. */
  readonly idleMiB: number | undefined
}

export interface Servers {
  readonly all: readonly Server[]
  readonly context: RequestContext
  stop(): Promise<void>
}

/** Starts the service and the floors. */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const all: Server[] = []

  async function stop(): Promise<void> {
    await Promise.all(all.map((server) => server.stop()))
  }

  async function start(name: ServerName, program: string, env: NodeJS.ProcessEnv): Promise<Server> {
    const { folder, cpus } = options
    const server = await startServer({ program, env, folder, log: join(folder, `${name}.log`), cpus })
    all.push({ ...server, name, idleMiB: server.memoryMiB() })
    return all.at(-1) as Server
  }

  try {
    const service = await start('service', 'src/main.ts', await serviceEnvironment(options))
    await start('serviceLogging', 'src/main.ts', { ...(await serviceEnvironment(options)), LOG_LEVEL: 'info' })
    const context = await createContext(service, options)
    const responses = { [variable]: JSON.stringify(await sampleResponses(service, context)) }
    await start('nodeConstant', 'scripts/bench/floors/node-constant.ts', responses)
    await start('nodeStatements', `scripts/bench/floors/node-${options.database}.ts`, {
      DATABASE_URL: await options.catalogue.copy(),
    })
    await start('fastifyConstant', 'scripts/bench/floors/fastify-constant.ts', responses)
    return { all, context, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The configuration of the service: a store of its own, and a log of nothing but warnings. */
export async function serviceEnvironment({ catalogue, key }: Pick<ServersOptions, 'catalogue' | 'key'>) {
  return { DATABASE_URL: await catalogue.copy(), API_KEYS: key, LOG_LEVEL: 'warn' }
}

/** Completes what the requests have in common by what only the service knows. */
export async function createContext(
  { port }: Pick<ServerProcess, 'port'>,
  { key, animals }: Pick<ServersOptions, 'key' | 'animals'>,
): Promise<RequestContext> {
  const response = await exchange(port, formatHead('GET', etagPath, [authorization(key)]))
  const etag = /^etag: (.*)\r$/im.exec(response)?.[1]
  if (etag === undefined) throw new Error(`the service sends no ETag: ${response}`)
  return { key, animals, etag }
}

/** Has the service respond to a request of each workload. */
async function sampleResponses({ port }: ServerProcess, context: RequestContext) {
  const names = workloadNames.filter((name): name is ResponseName => name !== 'mix')
  const samples = names.map(async (name) => {
    const response = await exchange(port, workloads[name].createRequests(context)())
    const [head = '', body = ''] = response.split('\r\n\r\n', 2)
    return [name, { status: Number(head.split(' ', 2)[1]), body }]
  })
  return Object.fromEntries(await Promise.all(samples))
}
