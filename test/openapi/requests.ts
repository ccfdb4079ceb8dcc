/** Requests to a document, with what handlers and clients receive, as YAML files of these tests list them. */
import type { Test } from 'tap'
import type { OpenApi } from '../../src/openapi/document/model.ts'
import { readOperations, type SecurityFunction } from '../../src/openapi/index.ts'
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

/** Sends the requests in turn. Passes if handlers and clients receive what is listed; of a refusal, no handler learns. */
export async function expectListed(
  t: Test,
  { call }: Pick<ListeningLayer, 'call'>,
  received: Received,
  requests: readonly ListedRequest[],
): Promise<void> {
  for (const { request, received: expected, response: listed, error, ...given } of requests) {
    const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(request) ?? []
    const { length } = received
    const { body, ...response } = await call(method, path, given)
    const what = `${request} ${JSON.stringify(given.headers ?? {})} ${given.body ?? ''}`
    const { body: expectedBody, ...others } = error === undefined ? { ...listed } : { status: 400, body: { error } }
    const { status = 200 } = others
    t.match(response, { ...others, status }, what)
    if (expectedBody !== undefined) t.strictSame(body, expectedBody, what)
    if (expected !== undefined || status >= 400) t.equal(received.length - length, expected === undefined ? 0 : 1, what)
    for (const [name, value] of Object.entries(expected ?? {})) {
      t.strictSame(received[length]?.[name], value, `${what}: ${name}`)
    }
  }
}

/** A credential is valid if it begins with "good"; what follows each "+" is a scope. */
const identify: SecurityFunction = async (credential) => {
  if (credential === 'broken') throw new Error('the keys cannot be read')
  const [name = '', ...scopes] = credential.split('+')
  return name.startsWith('good') ? { id: name, name, ...(scopes.length > 0 && { scopes }) } : undefined
}

/** Serves a document, whose version and title may be left out, with handlers that note their input and return a value. */
export async function startNoting(
  t: Test,
  document: Omit<OpenApi, 'openapi' | 'info'>,
  { returned = null, ...options }: Partial<LayerOptions> & { readonly returned?: unknown } = {},
) {
  const root = { openapi: '3.1.0', info: { title: 'Requests', version: '1.0.0' }, ...document }
  const received: Received = []
  const note = (operation: string) => async (input: Readonly<Record<string, unknown>>) => {
    // Parameters have no prototype.
    const parameters = ['path', 'query', 'header', 'cookie'].map((place) => [place, { ...(input[place] as object) }])
    received.push({ ...input, ...Object.fromEntries(parameters), operation })
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
