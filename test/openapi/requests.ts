/** Requests to a document, with what handlers and clients receive, as YAML files of these tests list them. */
import type { Test } from 'tap'
import type { OpenApi } from '../../src/openapi/document/model.ts'
import { readOperations } from '../../src/openapi/document/operations.ts'
import type { SecurityFunction } from '../../src/openapi/index.ts'
import type { Call } from '../helpers/http.ts'
import { writeJson } from '../helpers/json.ts'
import { type LayerOptions, type ListeningLayer, startLayer } from './layer.ts'

export interface ListedRequest extends Call {
  /** The method and the path: `GET /books`. */
  readonly request: string
  /** Members of what the handler receives, such as its `body`. */
  readonly received?: Readonly<Record<string, unknown>>
  /** The response: its body, and parts of the rest. By default, it is a 200. */
  readonly response?: { readonly status?: number; readonly body?: unknown }
  /** The message of a 400. */
  readonly error?: string
}

/** What handlers have received, in the order of the requests. */
export type Received = Record<string, unknown>[]

/** Notes what a handler has received; parameters, which have no prototype, as objects that have one. */
export function noteInput(received: Received, input: object): void {
  const entries = Object.entries(input).map(([name, value]) => {
    return [name, ['path', 'query', 'header', 'cookie'].includes(name) ? { ...value } : value]
  })
  received.push(Object.fromEntries(entries))
}

/** Sends the requests in turn. Passes if handlers and clients receive what is listed; of an error, no handler learns. */
export async function expectListed(
  t: Test,
  { call }: Pick<ListeningLayer, 'call'>,
  received: Received,
  requests: readonly ListedRequest[],
): Promise<void> {
  for (const { request, received: input, response: listed, error, ...given } of requests) {
    const what = `${request} ${JSON.stringify(given.headers ?? {})} ${given.body ?? ''}`
    const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(request) ?? []
    const { length } = received
    const { body, ...response } = await call(method, path, given)

    const expected = error === undefined ? { status: 200, ...listed } : { status: 400, body: { error } }
    const { body: expectedBody, ...parts } = expected
    t.match(response, parts, what)
    if (expectedBody !== undefined) t.strictSame(body, expectedBody, what)

    if (input !== undefined) t.equal(received.length, length + 1, what)
    else if (parts.status >= 400) t.equal(received.length, length, what)
    for (const [name, value] of Object.entries(input ?? {})) {
      t.strictSame(received[length]?.[name], value, `${what}: ${name}`)
    }
  }
}

/** A credential is valid if it begins with "good"; what follows each "+" is a scope, and "+all" alone stands for `'all'`. */
const identify: SecurityFunction = async (credential) => {
  if (credential === 'broken') throw new Error('the keys cannot be read')
  const [name = '', ...scopes] = credential.split('+')
  const granted = scopes.join() === 'all' ? 'all' : scopes
  return name.startsWith('good') ? { id: name, name, ...(scopes.length > 0 && { scopes: granted }) } : undefined
}

/** Serves a document, whose version and title may be left out, with handlers that note their input and return a value. */
export async function startNoting(
  t: Test,
  document: Omit<OpenApi, 'openapi' | 'info'>,
  { returned = null, ...options }: Partial<LayerOptions> & { readonly returned?: unknown } = {},
) {
  const root = { openapi: '3.1.0', info: { title: 'Requests', version: '1.0.0' }, ...document }
  const received: Received = []
  const note = (operation: string) => async (input: object) => {
    noteInput(received, { ...input, operation })
    return { status: 200, body: returned }
  }
  const schemes = Object.keys(root.components?.securitySchemes ?? {})
  const layer = await startLayer(t, {
    source: writeJson(root),
    handlers: Object.fromEntries(readOperations(root).map(({ id }) => [id, note(id)])),
    security: Object.fromEntries(schemes.map((name) => [name, identify])),
    ...options,
  })
  return { ...layer, received }
}
