/** Requests to a document, with what handlers and clients receive, as YAML files of these tests list them. */
import type { Test } from 'tap'
import type { Call } from '../helpers/http.ts'
import type { ListeningLayer } from './layer.ts'

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
    if (expected === undefined && status >= 400 && status < 500) t.equal(received.length, length, what)
    for (const [name, value] of Object.entries(expected ?? {})) {
      t.strictSame(received[length]?.[name], value, `${what}: ${name}`)
    }
  }
}
