/**
 * Clients of the service that remember what they asked for and what they were told, and hold the service to it.
 */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Test } from 'tap'
import { createContract } from '../helpers/contract.ts'
import { type Call, type HttpResponse, readResponse } from '../helpers/http.ts'
import { writeJson } from '../helpers/json.ts'
import { type Animal, animalsIn, walkPages } from '../helpers/pages.ts'
import { createRandom, drawSeed, type Random } from '../helpers/random.ts'
import { contractFile } from '../helpers/service.ts'
import { waitUntil } from '../helpers/wait.ts'
import { apiKey } from './instance.ts'

/**
 * How long anyone may be kept waiting, in milliseconds: the timeout of the store, and half as much again for a busy
 * machine, on which neither the service nor its client runs when it is its turn.
 */
export const timeout = 5000 * 1.5

/** More than any request may take: one that does hangs. */
const timeoutMs = 2 * timeout

/** How long a client rests that got no response or a 503, in milliseconds. */
const rest = 50

const contract = createContract(readFileSync(contractFile, 'utf8'))

/** A request and what came of it. */
export interface Outcome {
  readonly operationId: 'createPet' | 'listPets' | 'getPet'
  /** When it was sent, as `performance.now` has it, and for how long it was under way, in milliseconds. */
  readonly sent: number
  readonly ms: number
  /** Absent where no response came. */
  readonly response?: HttpResponse
  /** Why none came. */
  readonly failure?: string
}

/** The instance to send a request to. */
export type Target = () => string | Promise<string>

export interface Traffic {
  readonly outcomes: readonly Outcome[]
  /** Returns the outcomes with a status, of the requests sent from a moment on. */
  withStatus(status: number, since?: number): Outcome[]
  /** Everything that was not as the contract has it, as sentences. */
  readonly violations: readonly string[]
  /**
   * Sets clients to work on the instances that `target` names, one for each request. They add, list and fetch; a
   * creation with an Idempotency-Key that gets no response is sent again until it does, also by the clients of a later run.
   * `adding` is the share of creations among the requests.
   * What it returns has them stop, and resolves when no request is under way. They stop with the test, too.
   */
  run(t: Test, target: Target, options?: { readonly clients?: number; readonly adding?: number }): () => Promise<void>
  /** Resolves once the condition holds. Rejects when there is a violation, or a request without a response, before. */
  until(condition: () => boolean): Promise<void>
  /** Sends every creation with an Idempotency-Key that has got no response again. */
  settle(origin: string): Promise<void>
  /** What an instance's catalogue has, against what the clients were told; the violations are added to the others. */
  audit(origin: string): Promise<Audit>
}

/** How many animals there are. */
export interface Audit {
  readonly acknowledged: number
  /** Animals whose clients do not know that they are there, and will not ask again. */
  readonly unknown: number
  /** Animals whose clients do not know it yet, and are going to ask again. */
  readonly unacknowledged: number
}

/** An animal that a client wants there to be; the name is its alone. */
interface Creation {
  readonly name: string
  readonly categoryId: number
  readonly key: string | undefined
  tries: number
  acknowledged?: Animal
}

export function createTraffic(t: Test, random: Random = createRandom(drawSeed(t, 'FAULTS_SEED'))): Traffic {
  const outcomes: Outcome[] = []
  const violations: string[] = []
  const creations: Creation[] = []
  const acknowledged: (Creation & { acknowledged: Animal })[] = []
  const again: Creation[] = []
  const ids = new Set<bigint>()
  let highest = 0n

  async function ask(
    operationId: Outcome['operationId'],
    origin: string,
    agent: Agent | false,
    path: string,
    call: Call = {},
  ): Promise<HttpResponse | undefined> {
    const sent = performance.now()
    const method = operationId === 'createPet' ? 'POST' : 'GET'
    const outcome = await exchange(origin, agent, method, path, call)
    const ms = performance.now() - sent
    outcomes.push({ operationId, sent, ms, ...outcome })
    const { response, failure } = outcome
    if (failure === 'TimeoutError') violations.push(`${method} ${path} hangs`)
    if (response === undefined) return undefined
    try {
      contract.check({ method, path, ...response })
    } catch (error) {
      violations.push((error as Error).message)
    }
    if (response.status === 503 && response.headers['retry-after'] === undefined)
      violations.push('503 without Retry-After')
    if (![200, 201, 503].includes(response.status))
      violations.push(`${method} ${path}: ${response.status} ${response.text}`)
    return response
  }

  async function add(origin: string, agent: Agent | false, creation: Creation): Promise<boolean> {
    const { name, categoryId, key } = creation
    const before = highest
    const first = creation.tries++ === 0
    const headers = { authorization, ...(key !== undefined && { 'idempotency-key': key }) }
    const response = await ask('createPet', origin, agent, '/v1/pets', { headers, json: { name, categoryId } })
    if (response?.status !== 201) {
      if (key !== undefined) again.push(creation)
      return false
    }
    const animal = response.body as Animal
    const id = BigInt(animal.id)
    if (ids.has(id)) violations.push(`the id ${id} is used again`)
    if (first && id <= before) violations.push(`the id ${id} comes after ${before}`)
    if (animal.name !== name || animal.categoryId !== categoryId)
      violations.push(`${name} comes back as ${response.text}`)
    ids.add(id)
    if (id > highest) highest = id
    acknowledged.push(Object.assign(creation, { acknowledged: animal }))
    return true
  }

  async function fetch(origin: string, agent: Agent | false): Promise<boolean> {
    if (acknowledged.length === 0) return true
    const known = random.pick(acknowledged).acknowledged
    const response = await ask('getPet', origin, agent, `/v1/pets/${known.id}`, { headers: { authorization } })
    if (response?.status !== 200) return false
    if (!isDeepStrictEqual(response.body, known)) violations.push(`${writeJson(known)} is fetched as ${response.text}`)
    return true
  }

  async function list(origin: string, agent: Agent | false): Promise<boolean> {
    const response = await ask('listPets', origin, agent, '/v1/pets', { headers: { authorization } })
    return response?.status === 200
  }

  function next(): Creation {
    const number = creations.length
    const key = random.next() < 0.5 ? `"${number}"` : undefined
    const creation: Creation = { name: `animal ${number}`, categoryId: number, key, tries: 0 }
    creations.push(creation)
    return creation
  }

  async function work(target: Target, agent: Agent | false, adding: number, isOver: () => boolean) {
    while (!isOver()) {
      const origin = await target()
      const successful =
        random.next() < adding
          ? await add(origin, agent, again.shift() ?? next())
          : random.next() < 0.5
            ? await fetch(origin, agent)
            : await list(origin, agent)
      if (!successful) await setTimeout(rest)
    }
  }

  return {
    outcomes,
    withStatus: (status, since = 0) =>
      outcomes.filter(({ sent, response }) => sent >= since && response?.status === status),
    violations,
    run: (t, target, { clients = 8, adding = 0.6 } = {}) => {
      let over = false
      const agent = new Agent({ keepAlive: true })
      // Half of them on a new connection for each request.
      const working = Array.from({ length: clients }, (_, client) =>
        work(target, client % 2 === 0 && agent, adding, () => over),
      )
      const stop = async () => {
        over = true
        await Promise.all(working)
        agent.destroy()
      }
      t.teardown(stop)
      return stop
    },
    until: async (condition) => {
      await waitUntil(() => {
        const [wrong = outcomes.find(({ failure }) => failure !== undefined)?.failure] = violations
        if (wrong !== undefined) throw new Error(wrong)
        return condition()
      })
    },
    settle: async (origin) => {
      for (const creation of again.splice(0)) await add(origin, false, creation)
    },
    audit: async (origin) => {
      // What is acknowledged while the last page is on its way is not on it.
      const before = new Set(acknowledged)
      const kept = await walk(origin)
      const found = Map.groupBy(kept, ({ name }) => name)
      for (const [name, animals] of found) {
        if (animals.length > 1) violations.push(`${name} is there ${animals.length} times`)
      }
      for (const { name, acknowledged } of before) {
        const [animal] = found.get(name) ?? []
        if (!isDeepStrictEqual(animal, acknowledged)) {
          violations.push(`${writeJson(acknowledged)} was acknowledged, and there is ${writeJson(animal ?? 'none')}`)
        }
      }
      const ascending = kept.every(({ id }, index) => index === 0 || id > (kept[index - 1] as Animal).id)
      if (!ascending) violations.push('the ids in the list do not ascend')
      const names = new Set(creations.map(({ name }) => name))
      for (const { name } of kept) if (!names.has(name)) violations.push(`${name} is there, and nobody added it`)
      const others = creations.filter((each) => each.acknowledged === undefined && found.has(each.name))
      const unacknowledged = others.filter(({ key }) => key !== undefined).length
      return { acknowledged: acknowledged.length, unacknowledged, unknown: others.length - unacknowledged }
    },
  }
}

const authorization = `Bearer ${apiKey}`

/** Sends a request, and does not wait for ever. */
async function exchange(
  origin: string,
  agent: Agent | false,
  method: string,
  path: string,
  { headers = {}, json }: Call,
): Promise<Pick<Outcome, 'response' | 'failure'>> {
  try {
    const type = json === undefined ? {} : { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(timeoutMs)
    const sent = request(origin + path, { method, headers: { ...type, ...headers }, agent, signal })
    sent.end(json === undefined ? undefined : writeJson(json))
    return { response: await readResponse(sent) }
  } catch (error) {
    const { name, code, cause } = error as NodeJS.ErrnoException
    return { failure: (cause as Error | undefined)?.name ?? code ?? name }
  }
}

/** Lists all animals, page by page. */
async function walk(origin: string): Promise<Animal[]> {
  const fetchPage = async (path: string) => {
    const { response, failure } = await exchange(origin, false, 'GET', path, { headers: { authorization } })
    if (response?.status !== 200) throw new Error(`${path}: ${failure ?? response?.text}`)
    return response
  }
  return (await walkPages(fetchPage, '/v1/pets?limit=100')).flatMap(animalsIn)
}
