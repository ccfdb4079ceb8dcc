/**
 * Checks a whole app by its OpenAPI document, in a test of the app: makes valid and invalid requests to each operation, with and
 * without credentials, follows Links, and reports what the document does not allow, each with the shortest request.
 */
import { AssertionError } from 'node:assert'
import type * as FastCheck from 'fast-check'
import { type DeclaredOperation, findOperations } from '../document/find-operations.ts'
import type { ParsedDocument } from '../document/parse.ts'
import { getBasePath } from '../document/servers.ts'
import { addCredentials, type Credentials, findCredentials, type SentRequest } from './credentials.ts'
import { followLinks, type LinkedValues } from './links.ts'
import { createRequests, type RequestParts, type Requests } from './requests.ts'
import { type CheckedResponse, createResponseCheck, type ResponseCheckOptions } from './response-check.ts'
import { createSchemaValidation } from './schemas.ts'
import { createValues } from './values.ts'

export interface OperationCheckOptions extends ResponseCheckOptions {
  /** A credential for each security scheme that operations need: a key, a token, or `user:password`. It has all scopes. */
  readonly credentials?: Credentials
  /** The same, of a client without any scope. Without it, scopes are not checked. */
  readonly credentialsWithoutScopes?: Credentials
  /** The operationIds to check; by default, all. */
  readonly operations?: readonly string[]
  /** The number of valid and of invalid requests to each operation; 100 by default. */
  readonly runs?: number
  /** The seed of the requests; the message of a failure has it. */
  readonly seed?: number
  /** By operationId, the statuses with which a handler may reject a request that is valid by the document: `{ listPets: [400] }`. */
  readonly expected?: Readonly<Record<string, readonly number[]>>
}

/** A Fastify app, or what sends its requests elsewhere. */
interface CheckedApp {
  inject(request: SentRequest): Promise<CheckedResponse>
}

/** A mistake of the app, with the request that shows it. */
interface Mistake {
  readonly operationId: string
  readonly message: string
  readonly request: SentRequest
}

/**
 * Resolves with the number of requests. Rejects with an AssertionError that lists for each operation a request, as curl, that
 *
 * - gets a 5xx, or a status, header or body that the document does not declare;
 * - is valid and gets a 400, 401 or 403, or is not valid and gets a 2xx;
 * - lacks the credential or a scope, and gets a 2xx.
 *
 * Rejects with a TypeError if the options lack a credential or name an operation that does not exist, and with an Error for an operation whose required parts cannot be made:
 * the option `operations` leaves it out. Needs the package fast-check.
 */
export async function checkOperations(
  app: CheckedApp,
  document: Pick<ParsedDocument, 'root'>,
  options: OperationCheckOptions = {},
): Promise<number> {
  const fc = await import('fast-check')
  const { root } = document
  const {
    operations: chosenIds,
    runs = 100,
    seed = Date.now() % 1_000_000,
    formats = {},
    basePath = getBasePath(root, {}),
  } = options
  const check = createResponseCheck(document, options)
  const values = createValues(fc, root, createSchemaValidation(root, { formats, undeclaredMembers: true }, 'readOnly'))
  const linkedValues: LinkedValues = new Map()
  const mistakes: Mistake[] = []
  let count = 0

  async function send(operation: DeclaredOperation, request: SentRequest, parts: RequestParts): Promise<number> {
    count++
    const response = await app.inject(request)
    check(response, request)
    if (response.statusCode >= 500)
      throw new AssertionError({ message: `is a ${response.statusCode}: ${response.body}` })
    if (response.statusCode < 300) followLinks(root, operation, request, parts, response, linkedValues)
    return response.statusCode
  }

  /** Sends requests until one is a mistake, and then shorter ones. */
  async function findMistake(
    operation: DeclaredOperation,
    requests: FastCheck.Arbitrary<RequestParts>,
    write: (parts: RequestParts) => SentRequest,
    findWrongStatus: (status: number) => string | undefined,
    numRuns = runs,
  ): Promise<boolean> {
    const property = fc.asyncProperty(requests, async (parts) => {
      const wrong = findWrongStatus(await send(operation, write(parts), parts))
      if (wrong !== undefined) throw new AssertionError({ message: wrong })
    })
    const { counterexample, errorInstance } = await fc.check(property, { seed, numRuns })
    if (counterexample === null) return false
    const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
    mistakes.push({ operationId: operation.id, message, request: write(counterexample[0]) })
    return true
  }

  async function checkOperation(operation: DeclaredOperation): Promise<void> {
    const requests = createRequests(fc, root, operation, String(basePath), values)
    const { valid, invalid, write } = withLinks(fc, requests, linkedValues.get(operation.id))
    const secured = findCredentials(root, operation, options.credentials ?? {})
    const expected = options.expected?.[operation.id] ?? []
    const writeAuthorized = (parts: RequestParts) => addCredentials(write(parts), secured)
    await findMistake(operation, valid, writeAuthorized, (status) => {
      const isRejected = [400, 401, 403].includes(status) && !expected.includes(status)
      return isRejected ? `is valid, and gets a ${status}` : undefined
    })
    const findAcceptance = (status: number) => (status < 300 ? `is not valid, and gets a ${status}` : undefined)
    const runsOfEach = Math.max(Math.ceil(runs / invalid.length), 2)
    for (const invalidRequests of invalid) {
      if (await findMistake(operation, invalidRequests, writeAuthorized, findAcceptance, runsOfEach)) break
    }
    if (secured.length === 0) return
    const findLeak = (reason: string) => (status: number) =>
      status < 300 ? `${reason}, and gets a ${status}` : undefined
    await findMistake(operation, valid, write, findLeak('lacks a credential'), 3)
    const { credentialsWithoutScopes } = options
    if (credentialsWithoutScopes === undefined || secured.every(({ scopes }) => scopes.length === 0)) return
    const unscoped = findCredentials(root, operation, credentialsWithoutScopes)
    await findMistake(operation, valid, (parts) => addCredentials(write(parts), unscoped), findLeak('lacks a scope'), 3)
  }

  const allOperations = findOperations(root)
  for (const id of [...(chosenIds ?? []), ...Object.keys(options.expected ?? {})]) {
    if (!allOperations.some((operation) => operation.id === id)) {
      throw new TypeError(`the document has no operation "${id}"; correct the options`)
    }
  }
  const operations = allOperations.filter(({ id }) => chosenIds?.includes(id) ?? true)
  // Those that add something come first: their Links lead to what the others use.
  const isAdding = ({ method }: DeclaredOperation) => method === 'post'
  const sorted = [...operations.filter(isAdding), ...operations.filter((operation) => !isAdding(operation))]
  for (const operation of sorted) await checkOperation(operation)
  if (mistakes.length > 0)
    throw new AssertionError({ message: formatMistakes(mistakes, seed), stackStartFn: checkOperations })
  return count
}

/** Uses values of Links in half of the valid requests. */
function withLinks(fc: typeof FastCheck, requests: Requests, links: readonly RequestParts[] = []): Requests {
  if (links.length === 0) return requests
  // A Link names a parameter with or without its location: `path.id`, or `id`.
  const toKey = (name: string) => requests.keys.find((key) => key === name || key.endsWith(`.${name}`)) ?? name
  const toParts = (link: RequestParts) =>
    Object.fromEntries(Object.entries(link).map(([name, value]) => [toKey(name), value]))
  const linked = fc
    .tuple(requests.valid, fc.constantFrom(...links))
    .map(([parts, link]) => ({ ...parts, ...toParts(link) }))
  return { ...requests, valid: fc.oneof(linked, requests.valid) }
}

function formatMistakes(mistakes: readonly Mistake[], seed: number): string {
  const list = mistakes.map(({ operationId, message, request }) => `${operationId}: ${message}\n  ${toCurl(request)}`)
  const summary = mistakes.length === 1 ? '1 request shows a mistake' : `${mistakes.length} requests show mistakes`
  return `${summary} (seed ${seed}):\n\n${list.join('\n\n')}`
}

/** Writes a request as a command of a shell. */
function toCurl({ method, url, headers, payload }: SentRequest): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const fields = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  const body = payload === undefined ? [] : [`--data-raw ${quote(payload)}`]
  return ['curl', `-X ${method}`, quote(`http://localhost${url}`), ...fields, ...body].join(' ')
}
