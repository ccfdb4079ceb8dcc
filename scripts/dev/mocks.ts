/**
 * Handlers for operations that have none yet: they respond with the examples of the spec. `Prefer` (RFC 7240) chooses
 * another status with `code=404`, and one of several examples with `example=NAME`.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../src/errors.ts'
import { SERVER_HEADERS } from '../../src/http/requests.ts'
import { type Handler, type Header, isServerHeader, type OpenApi, resolve, toObject } from '../../src/openapi/index.ts'

export interface Mocks {
  /** By operationId, one for every operation of the document. */
  readonly handlers: Readonly<Record<string, Handler>>
  /** Lets the handlers see the preferences of requests, which are not declared. */
  addTo(app: FastifyInstance): void
}

type Values = Readonly<Record<string, unknown>>

/** Makes the handlers. The document need not be checked yet, but must be when they are called. */
export function createMocks(root: OpenApi): Mocks {
  const context = new AsyncLocalStorage<{ readonly preferences: Preferences; readonly raw: ServerResponse }>()
  const operations = Object.values(toObject(root.paths)).flatMap((item) => Object.values(toObject(item)).map(toObject))
  const mocks = operations.flatMap(({ operationId, responses }): [string, Handler][] => {
    if (typeof operationId !== 'string') return []
    const handle: Handler = async () => {
      const { preferences = {}, raw } = context.getStore() ?? {}
      const response = respond(root, operationId, toObject(responses), preferences)
      // RFC 7240, section 3. The spec does not declare it, so a handler cannot return it.
      raw?.setHeader('Preference-Applied', 'example')
      return response
    }
    return [[operationId, handle]]
  })
  return {
    handlers: Object.fromEntries(mocks),
    addTo: (app) => {
      app.addHook('onRequest', ({ headers }, { raw }, done) => {
        context.run({ preferences: parsePrefer(String(headers.prefer ?? '')), raw }, done)
      })
    },
  }
}

type Preferences = Readonly<Record<string, string>>

/** Parses the values of `Prefer` (RFC 7240, section 2); the names of preferences ignore case. */
function parsePrefer(text: string): Preferences {
  const pairs = text.matchAll(/([\w-]+)[ \t]*=[ \t]*(?:"([^"]*)"|([^\s,;"]+))/g)
  return Object.fromEntries(
    [...pairs].map(([, name = '', quoted, token]) => [name.toLowerCase(), quoted ?? token ?? '']),
  )
}

function respond(root: OpenApi, id: string, responses: Values, { code, example }: Preferences) {
  const declared = Object.keys(responses)
  const key = code === undefined ? getUsualKey(declared) : findKey(declared, code)
  if (key === undefined) {
    throw refuse(`"${id}" declares no response ${code}; prefer one of: ${declared.join(', ')}`)
  }
  const { content, headers } = toObject(resolve(root, toObject(responses[key])))
  const [media] = Object.values(toObject(content)).map(toObject)
  return {
    status: Number(code ?? key),
    headers: getHeaders(root, toObject(headers)),
    ...(media === undefined
      ? {}
      : { body: getExample(media, `"${id}" has no handler, and its response ${key}`, example) }),
  }
}

/** The first success, or else the first response with a status of its own. */
function getUsualKey(declared: readonly string[]): string {
  return declared.find((key) => /^2\d\d$/.test(key)) ?? declared.find((key) => /^\d+$/.test(key)) ?? '200'
}

/** The most specific key for a status (OpenAPI 3.1, Responses Object). */
function findKey(declared: readonly string[], code: string): string | undefined {
  const keys = /^[2-5]\d\d$/.test(code) ? [code, `${code[0]}XX`, 'default'] : []
  return keys.find((key) => declared.includes(key))
}

function getExample(media: Values, what: string, name: string | undefined): unknown {
  const examples = toObject(media.examples)
  if (name !== undefined && !Object.hasOwn(examples, name)) {
    throw refuse(`${what} has no example "${name}"; prefer one of: ${Object.keys(examples).join(', ') || 'none'}`)
  }
  if ('example' in media) return media.example
  const [first] = name === undefined ? Object.values(examples) : [examples[name]]
  if (first !== undefined) return toObject(first).value
  throw new HttpError(500, 'internal_error', `${what} has no example; add one, or write the handler`)
}

/** The headers that a handler has to return. */
type HeaderValue = string | number | bigint | boolean

function getHeaders(root: OpenApi, headers: Values): Record<string, HeaderValue> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, reference]) => {
      const header = resolve<Header>(root, toObject(reference) as unknown as Header)
      const { example, examples, schema } = toObject(header)
      const [first] = Object.values(toObject(examples)).map((each) => toObject(each).value)
      const value = example ?? first ?? toObject(schema).example
      const isNeeded =
        header.required === true &&
        !isServerHeader(name, { ...header, schema: resolve(root, header.schema) }, SERVER_HEADERS)
      return isNeeded && value !== undefined ? [[name, value as HeaderValue]] : []
    }),
  )
}

function refuse(message: string): HttpError {
  return new HttpError(400, 'invalid_request', `Prefer: ${message}`)
}
