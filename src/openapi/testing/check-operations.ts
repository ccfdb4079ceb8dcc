/**
 * Checks a whole app by its OpenAPI document, in a test of the app: makes valid and invalid requests to each operation, with and
 * without credentials, follows Links, and reports what the document does not allow, each with the shortest request.
 */
import { AssertionError } from 'node:assert'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type * as FastCheck from 'fast-check'
import type { OpenApi } from '../document/model.ts'
import { type Operation, readOperations, sendsItems } from '../document/operations.ts'
import { findResponse } from '../document/responses.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import {
  addCredentials,
  type Credentials,
  findCredentials,
  findUnscopedCredentials,
  type SchemeCredential,
  type SentRequest,
} from './credentials.ts'
import { addLinkedRequests, followLinks, type LinkedParts } from './links.ts'
import { createRequestValues } from './request-values.ts'
import { createRequests, type RequestParts, type Requests } from './requests.ts'
import {
  type CheckedResponse,
  createResponseCheck,
  findContent,
  type ResponseCheckOptions,
  readBasePath,
} from './response-check.ts'

export interface OperationCheckOptions extends ResponseCheckOptions {
  /** A credential for each security scheme that operations need: a key, a token, or `user:password`. It has all scopes. */
  readonly credentials?: Credentials
  /** The same, of a client without any scope. Without it, scopes are not checked. */
  readonly credentialsWithoutScopes?: Credentials
  /** The operationIds to check; by default, all. */
  readonly operations?: readonly string[]
  /** The operationIds to leave out. */
  readonly except?: readonly string[]
  /** The number of valid and of invalid requests to each operation; 100 by default. */
  readonly runs?: number
  /** The seed of the requests; the message of a failure has it. */
  readonly seed?: number
  /** By operationId, the statuses with which a handler may reject a request that is valid by the document: `{ listPets: [400] }`. */
  readonly expected?: Readonly<Record<string, readonly number[]>>
}

/** A document of `loadDocument`, or its `root` alone. */
interface CheckedDocument {
  readonly root: OpenApi
  /** Has the option `int64` of the document. Without it, an int64 is a bigint. */
  readonly compile?: Pick<SchemaCompiler, 'views'>
}

/** A Fastify app, or what sends its requests elsewhere. */
interface CheckedApp {
  inject(request: SentRequest & { readonly payloadAsStream?: boolean }): Promise<InjectedResponse>
}

/** A response of an app. With `payloadAsStream`, Fastify's has a stream and no body. */
interface InjectedResponse extends CheckedResponse {
  readonly stream?: () => Readable
}

/** A mistake of the app, with the request that shows it; without a request if no valid one can be made. */
interface Mistake {
  readonly operationId: string
  readonly message: string
  readonly request?: SentRequest
}

/** The check of one app. */
interface Run extends Required<Pick<OperationCheckOptions, 'runs' | 'seed'>> {
  readonly fc: typeof FastCheck
  readonly app: CheckedApp
  readonly root: OpenApi
  readonly options: OperationCheckOptions
  readonly checkResponse: ReturnType<typeof createResponseCheck>
  readonly linkedParts: LinkedParts
  readonly mistakes: Mistake[]
  /** The number of requests that have been sent. */
  count: number
}

/** Requests to one operation, with the test of their statuses. */
interface Trial {
  readonly operation: Operation
  readonly requests: FastCheck.Arbitrary<RequestParts>
  readonly write: (parts: RequestParts) => SentRequest
  /** Returns the mistake of a status; undefined for a right one. */
  readonly findMistake: (status: number) => string | undefined
  /** The number of requests. */
  readonly numRuns: number
}

/**
 * Resolves with the number of requests. Rejects with an AssertionError that lists for each operation a request, as curl, that
 *
 * - gets a 5xx, or a status, header or body that the document does not declare;
 * - is valid and gets a 400, 401 or 403, or is not valid and gets a 2xx;
 * - lacks the credential or a scope, and gets a 2xx.
 *
 * Lists also each operation whose required parts cannot be made: the option `except` leaves it out. Rejects with a TypeError if the
 * options lack a credential or name an operation that does not exist. Needs the package fast-check.
 */
export async function checkOperations(
  app: CheckedApp,
  { root, compile }: CheckedDocument,
  options: OperationCheckOptions = {},
): Promise<number> {
  const fc = await import('fast-check')
  const { runs = 100, seed = Date.now() % 1_000_000 } = options
  const checkResponse = createResponseCheck({ root }, options)
  const run: Run = { fc, app, root, options, runs, seed, checkResponse, linkedParts: new Map(), mistakes: [], count: 0 }
  const values = createRequestValues(fc, root, { formats: options.formats, int64: compile?.views.int64 })
  const basePath = readBasePath(root, options.basePath)
  const operations = selectOperations(root, options)
  // A missing credential throws before any request is sent. Otherwise, the mistakes found by then are lost.
  const credentials = new Map(
    operations.map((operation) => [
      operation,
      {
        credentials: findCredentials(operation, options.credentials),
        unscopedCredentials: findUnscopedCredentials(operation, options.credentialsWithoutScopes),
      },
    ]),
  )
  for (const [operation, operationCredentials] of credentials) {
    const requests = createRequests(fc, operation, basePath, values)
    if (!('problem' in requests)) await checkOperation(run, operation, requests, operationCredentials)
    else {
      const message = `${requests.problem}; leave the operation out by the option except`
      run.mistakes.push({ operationId: operation.id, message })
    }
  }
  if (run.mistakes.length === 0) return run.count
  throw new AssertionError({ message: formatMistakes(run), stackStartFn: checkOperations })
}

/** Returns the operations to check. Those that add something come first: their Links lead to what the others use. */
function selectOperations(
  root: OpenApi,
  { operations, except = [], expected = {} }: OperationCheckOptions,
): Operation[] {
  const allOperations = readOperations(root)
  for (const id of [...(operations ?? []), ...except, ...Object.keys(expected)]) {
    if (!allOperations.some((operation) => operation.id === id)) {
      throw new TypeError(`the document has no operation "${id}"; correct the options`)
    }
  }
  return allOperations
    .filter(({ id }) => (operations?.includes(id) ?? true) && !except.includes(id))
    .sort((left, right) => Number(right.method === 'post') - Number(left.method === 'post'))
}

/** The credentials of an operation, with all scopes and without any. */
interface OperationCredentials {
  readonly credentials: readonly SchemeCredential[]
  /** Undefined if the operation needs no scope, or scopes are not checked. */
  readonly unscopedCredentials: readonly SchemeCredential[] | undefined
}

async function checkOperation(
  run: Run,
  operation: Operation,
  requests: Requests,
  { credentials, unscopedCredentials }: OperationCredentials,
): Promise<void> {
  const { options, runs } = run
  const { invalid, write } = requests
  const writeAuthorized = (parts: RequestParts) => addCredentials(write(parts), credentials)
  const expected = options.expected?.[operation.id] ?? []
  const findRejection = (status: number) =>
    [400, 401, 403].includes(status) && !expected.includes(status) ? `is valid, and gets a ${status}` : undefined
  const validTrial: Trial = {
    operation,
    requests: addLinkedRequests(run.fc, operation.id, requests, run.linkedParts),
    write: writeAuthorized,
    findMistake: findRejection,
    numRuns: runs,
  }
  await sendTrial(run, validTrial)
  const numRuns = Math.max(Math.ceil(runs / invalid.length), 2)
  for (const invalidRequests of invalid) {
    const findMistake = createAcceptanceTest('is not valid')
    if (await sendTrial(run, { ...validTrial, requests: invalidRequests, findMistake, numRuns })) break
  }
  if (credentials.length === 0) return
  await sendTrial(run, { ...validTrial, write, findMistake: createAcceptanceTest('lacks a credential'), numRuns: 3 })
  if (unscopedCredentials === undefined) return
  const writeUnscoped = (parts: RequestParts) => addCredentials(write(parts), unscopedCredentials)
  const findMistake = createAcceptanceTest('lacks a scope')
  await sendTrial(run, { ...validTrial, write: writeUnscoped, findMistake, numRuns: 3 })
}

/** Creates the test of requests that must not be accepted. */
function createAcceptanceTest(reason: string): Trial['findMistake'] {
  return (status) => (status < 300 ? `${reason}, and gets a ${status}` : undefined)
}

/** Sends the requests of a trial until one is a mistake, and then shorter ones. Returns whether there is a mistake. */
async function sendTrial(run: Run, { operation, requests, write, findMistake, numRuns }: Trial): Promise<boolean> {
  const property = run.fc.asyncProperty(requests, async (parts) => {
    const mistake = findMistake(await send(run, operation, write(parts), parts))
    // An error makes fast-check look for a shorter request with the mistake.
    if (mistake !== undefined) throw new AssertionError({ message: mistake })
  })
  const { counterexample, errorInstance } = await run.fc.check(property, { seed: run.seed, numRuns })
  if (counterexample === null) return false
  const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
  run.mistakes.push({ operationId: operation.id, message, request: write(counterexample[0]) })
  return true
}

/** Sends a request, checks the response, and returns its status. */
async function send(run: Run, operation: Operation, request: SentRequest, parts: RequestParts): Promise<number> {
  run.count++
  const { statusCode, headers, body } = await receive(run.app, operation, request)
  const response = { statusCode, headers, body }
  run.checkResponse(response, request)
  if (statusCode >= 500) throw new AssertionError({ message: `is a ${statusCode}: ${body}` })
  if (statusCode < 300) followLinks(run.root, operation, request, parts, response, run.linkedParts)
  return statusCode
}

/** Receives a response. Of a stream of items, which may not end, receives the head alone. */
async function receive(app: CheckedApp, operation: Operation, request: SentRequest): Promise<CheckedResponse> {
  if (!sendsItems(operation)) return app.inject(request)
  const response = await app.inject({ ...request, payloadAsStream: true })
  if (response.stream === undefined) return response
  const { statusCode, headers, stream } = response
  const { content = [] } = findResponse(operation.responses, statusCode) ?? {}
  const isStream = findContent(content, String(headers['content-type']))?.itemSchema !== undefined
  if (!isStream) return { statusCode, headers, body: await text(stream()) }
  response.raw?.res?.destroy()
  return { statusCode, headers, body: '' }
}

function formatMistakes({ mistakes, seed }: Run): string {
  const list = mistakes.map(({ operationId, message, request }) =>
    [`${operationId}: ${message}`, ...(request === undefined ? [] : [toCurl(request)])].join('\n  '),
  )
  const count = mistakes.length === 1 ? '1 mistake' : `${mistakes.length} mistakes`
  return `${count} (seed ${seed}):\n\n${list.join('\n\n')}`
}

/** Writes a request as a command of a shell. */
function toCurl({ method, url, headers, payload }: SentRequest): string {
  const quote = (value: string) => `'${value.replaceAll("'", `'\\''`)}'`
  const fields = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  const body = payload === undefined ? [] : [`--data-raw ${quote(payload)}`]
  // With `-X HEAD`, curl waits for a body.
  const methodOption = method === 'HEAD' ? '--head' : `-X ${method}`
  return ['curl', methodOption, quote(`http://localhost${url}`), ...fields, ...body].join(' ')
}
