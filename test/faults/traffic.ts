/** Clients of the service that remember what they asked for and what they were told, and hold the service to it. */
import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Test } from 'tap'
import { createContract } from '../helpers/contract.ts'
import { type Call, type HttpResponse, send } from '../helpers/http.ts'
import { writeJson } from '../helpers/json.ts'
import { type Animal, animalsIn, walkPages } from '../helpers/pages.ts'
import { type NodeOptions, startServiceProcess } from '../helpers/process.ts'
import { spec } from '../helpers/service.ts'
import { waitUntil } from '../helpers/wait.ts'

/** The API key that every instance accepts. */
export const apiKey = '0123456789abcdef'
const authorization = `Bearer ${apiKey}`

/** Starts an instance of the service, a process of its own, on a store that is made to fail; waits until it listens. */
export function startInstance(t: Test, databaseUrl: string, { env, ...others }: NodeOptions = {}) {
  return startServiceProcess(t, {
    ...others,
    env: { API_KEYS: `tests=${apiKey}`, DATABASE_URL: databaseUrl, ...env },
  })
}

/**
 * How long anyone may be kept waiting, in milliseconds: ten times the timeout of the store, because on a slow or
 * busy machine neither the service nor its client runs when it is its turn.
 */
export const timeout = 10 * 5000

/** How long a client rests after a request, and after one that got no response or a 503, in milliseconds. */
const [REST, LONG_REST] = [8, 50]

const contract = createContract(spec)

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

/** An animal that a client wants there to be; the name is its alone. */
interface Creation {
  readonly name: string
  readonly categoryId: number
  readonly key: string | undefined
  tries: number
  acknowledged?: Animal
}

export function createTraffic(t: Test) {
  const outcomes: Outcome[] = []
  /** Everything that was not as the contract has it, as sentences. */
  const violations: string[] = []
  const creations: Creation[] = []
  const acknowledged: Animal[] = []
  const again: Creation[] = []
  let highest = 0n

  async function ask(
    operationId: Outcome['operationId'],
    origin: string,
    agent: Agent | undefined,
    call: Call,
    id = '',
  ) {
    const sent = performance.now()
    const [method, path] = [operationId === 'createPet' ? 'POST' : 'GET', `/v1/pets${id}`]
    const result = await exchange(origin, method, path, { ...call, agent })
    outcomes.push({ operationId, sent, ms: performance.now() - sent, ...result })
    const { response, failure } = result
    if (failure === 'ETIMEDOUT') violations.push(`${method} ${path} hangs`)
    if (response === undefined) return undefined
    try {
      contract.check({ method, path, ...response })
    } catch (error) {
      violations.push((error as Error).message)
    }
    const { status, headers, text } = response
    if (status === 503 && headers['retry-after'] === undefined) violations.push('503 without Retry-After')
    if (![200, 201, 503].includes(status)) violations.push(`${method} ${path}: ${status} ${text}`)
    return response
  }

  async function add(origin: string, agent: Agent | undefined, creation: Creation): Promise<boolean> {
    const { name, categoryId, key } = creation
    const before = highest
    const isFirst = creation.tries++ === 0
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    const response = await ask('createPet', origin, agent, { headers, json: { name, categoryId } })
    if (response?.status !== 201) {
      if (key !== undefined) again.push(creation)
      return false
    }
    const animal = response.body as Animal
    const id = BigInt(animal.id)
    if (acknowledged.some(({ id }) => id === animal.id)) violations.push(`the id ${id} is used again`)
    if (isFirst && id <= before) violations.push(`the id ${id} comes after ${before}`)
    if (animal.name !== name || animal.categoryId !== categoryId) violations.push(`${name} is ${response.text}`)
    if (id > highest) highest = id
    creation.acknowledged = animal
    acknowledged.push(animal)
    return true
  }

  async function fetch(origin: string, agent: Agent | undefined): Promise<boolean> {
    const known = acknowledged[Math.floor(Math.random() * acknowledged.length)]
    if (known === undefined) return true
    const response = await ask('getPet', origin, agent, {}, `/${known.id}`)
    if (response?.status !== 200) return false
    if (!isDeepStrictEqual(response.body, known)) violations.push(`${writeJson(known)} is fetched as ${response.text}`)
    return true
  }

  function create(): Creation {
    const number = creations.length
    const key = Math.random() < 0.5 ? `"${number}"` : undefined
    const creation: Creation = { name: `animal ${number}`, categoryId: number, key, tries: 0 }
    creations.push(creation)
    return creation
  }

  /**
   * Sets clients to work on the instances that `target` names, one for each request. They add, list and fetch; a creation
   * with an Idempotency-Key that gets no response is sent again until it does, also by the clients of a later run.
   * `adding` is the share of creations among the requests. What it returns has them stop, and resolves when no request is
   * under way. They stop with the test, too.
   */
  function run(target: () => string | Promise<string>, { clients = 8, adding = 0.6 } = {}): () => Promise<void> {
    let isOver = false
    const keepAlive = new Agent({ keepAlive: true })
    const working = Array.from({ length: clients }, async (_, client) => {
      // Half of them on a new connection for each request.
      const agent = client % 2 === 0 ? keepAlive : undefined
      while (!isOver) {
        const origin = await target()
        const isSuccessful =
          Math.random() < adding
            ? await add(origin, agent, again.shift() ?? create())
            : Math.random() < 0.5
              ? await fetch(origin, agent)
              : (await ask('listPets', origin, agent, {}))?.status === 200
        await setTimeout(isSuccessful ? REST : LONG_REST)
      }
    })
    const stop = async () => {
      isOver = true
      await Promise.all(working)
      keepAlive.destroy()
    }
    t.teardown(stop)
    return stop
  }

  /** Resolves once the condition holds. Rejects when there is a violation, or a request without a response, before. */
  async function until(condition: () => boolean): Promise<void> {
    await waitUntil(() => {
      const [wrong = outcomes.find(({ failure }) => failure !== undefined)?.failure] = violations
      if (wrong !== undefined) throw new Error(wrong)
      return condition()
    })
  }

  /**
   * Compares an instance's catalogue with what the clients were told; what differs is added to the violations. Returns the
   * number of the animals whose clients do not know that they are there: those who are going to ask again, and others.
   */
  async function audit(origin: string) {
    // What is acknowledged while the last page is on its way is not on it.
    const before = acknowledged.slice()
    const kept = await walk(origin)
    const found = Map.groupBy(kept, ({ name }) => name)
    const names = new Set(creations.map(({ name }) => name))
    for (const [name, animals] of found) {
      if (animals.length > 1) violations.push(`${name} is there ${animals.length} times`)
      if (!names.has(name)) violations.push(`${name} is there, and nobody added it`)
    }
    for (const animal of before) {
      const there = found.get(animal.name)?.[0]
      if (!isDeepStrictEqual(there, animal)) violations.push(`${writeJson(animal)} was acknowledged, not ${there?.id}`)
    }
    const isAscending = kept.every(({ id }, index) => index === 0 || id > (kept[index - 1] as Animal).id)
    if (!isAscending) violations.push('the ids in the list do not ascend')
    const others = creations.filter(({ acknowledged, name }) => acknowledged === undefined && found.has(name))
    const unacknowledged = others.filter(({ key }) => key !== undefined).length
    return { unacknowledged, unknown: others.length - unacknowledged }
  }

  /**
   * Sends every creation without a response again. Passes when the catalogue of an instance is what its clients were told,
   * and none of them was told anything wrong.
   */
  async function passes(origin: string) {
    for (const creation of again.splice(0)) await add(origin, undefined, creation)
    const audited = await audit(origin)
    t.same(violations, [], 'nothing is lost or doubled, and every response is right')
    t.equal(audited.unacknowledged, 0, 'every creation that is sent again gets a response')
    const groups = Map.groupBy(outcomes, ({ response, failure }) => response?.status ?? failure)
    t.comment([...groups].map(([result, those]) => `${those.length} × ${result}`).join(', '))
    return audited
  }

  return {
    outcomes,
    violations,
    /** Returns the outcomes with a status, of the requests sent from a moment on. */
    withStatus: (status: number, since = 0) =>
      outcomes.filter(({ sent, response }) => sent >= since && response?.status === status),
    run,
    until,
    audit,
    passes,
    /** Passes when every request got a response in time. */
    respondsInTime: () => {
      const failed = outcomes.filter(({ failure }) => failure !== undefined)
      t.same(failed, [], 'every request gets a response')
      const slowest = Math.max(...outcomes.map(({ ms }) => ms))
      t.ok(slowest < timeout, `the slowest response took ${Math.round(slowest)} ms`)
    },
  }
}

/** Sends a request with the key. */
async function exchange(origin: string, method: string, path: string, call: Call) {
  try {
    // Behind a proxy, it has a path.
    const { origin: server, pathname } = new URL(origin)
    const target = pathname.replace(/\/$/, '') + path
    return { response: await send(server, method, target, { ...call, headers: { authorization, ...call.headers } }) }
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException
    return { failure: code ?? name }
  }
}

/** Lists all animals, page by page. */
async function walk(origin: string): Promise<Animal[]> {
  const fetchPage = async (path: string) => {
    const { response, failure } = await exchange(origin, 'GET', path, {})
    if (response?.status !== 200) throw new Error(`${path}: ${failure ?? response?.text}`)
    return response
  }
  return (await walkPages(fetchPage, '/v1/pets?limit=100')).flatMap(animalsIn)
}
