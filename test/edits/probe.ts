/**
 * Requests to a service, made from its OpenAPI document: right ones and wrong ones, for each operation.
 */
import { Agent, request } from 'node:http'
import { type HttpResponse, readResponse } from '../helpers/http.ts'
import { writeJson } from '../helpers/json.ts'
import { at, type Schema } from '../hostile/arbitraries.ts'

export interface Probe {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

/** The keys to send requests with: one that may do everything, and some that may not. */
export interface Keys {
  readonly all: string
  readonly others: readonly string[]
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch']

/** Returns requests to every operation of a document, whose paths begin with a base path. */
export function* makeProbes(document: Schema, basePath: string, keys: Keys): Iterable<Probe> {
  const paths = Object.entries(document.paths as Readonly<Record<string, Schema>>)
  const found = paths.flatMap(([path, item]) =>
    METHODS.filter((each) => each in item).map((method) => ({ path, item, method })),
  )
  for (const { path: template, item, method: field } of found) {
    const operation = item[field] as Schema
    const method = field.toUpperCase()
    const listed = [...entries(item.parameters), ...entries(operation.parameters)]
    const parameters = listed.map((each) => resolve(document, each) as unknown as Parameter)
    const { content } = resolve(document, operation.requestBody) as { content?: Readonly<Record<string, Schema>> }
    const body = content && makeValues(document, resolve(document, content['application/json']?.schema))
    const make = (values: ReadonlyMap<Parameter, unknown>, json?: unknown, key = keys.all): Probe => {
      const text = (each: Parameter) =>
        String(values.get(each)).replaceAll('\u0000', each.in === 'header' ? ' ' : '\u0000')
      const given = parameters.filter((each) => values.has(each))
      const path = given
        .filter((each) => each.in === 'path')
        .reduce((path, each) => {
          return path.replace(`{${each.name}}`, encodeURIComponent(text(each)))
        }, basePath + template)
      const query = given.filter((each) => each.in === 'query')
      const search = query.map((each) => `${encodeURIComponent(each.name)}=${encodeURIComponent(text(each))}`).join('&')
      const headers = given.filter((each) => each.in === 'header').map((each) => [each.name, text(each)])
      return {
        method,
        path: search === '' ? path : `${path}?${search}`,
        headers: {
          ...(key !== '' && { authorization: `Bearer ${key}` }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...Object.fromEntries(headers),
        },
        body: json === undefined ? undefined : writeJson(json),
      }
    }
    const samples = new Map(parameters.map((each) => [each, makeValues(document, resolve(document, each.schema))]))
    const least = new Map(
      parameters.filter((each) => each.required || each.in === 'path').map((each) => [each, samples.get(each)?.[0]]),
    )
    const first = body?.[0]
    yield make(least, first)
    yield make(least, first, '')
    for (const key of keys.others) yield make(least, first, key)
    for (const [parameter, values] of samples) {
      for (const value of values) yield make(new Map([...least, [parameter, value]]), first)
      // Once more: what an idempotency key remembers, and with another body.
      yield make(new Map([...least, [parameter, values[0]]]), first)
      if (body) yield make(new Map([...least, [parameter, values[0]]]), body[1])
    }
    const plain = make(least, first)
    yield { ...plain, path: `${plain.path}${plain.path.includes('?') ? '&' : '?'}unknown=1` }
    if (body === undefined) continue
    for (const value of body.slice(1)) yield make(least, value)
    yield { ...plain, body: undefined }
    yield { ...plain, body: '{' }
    yield { ...plain, body: '['.repeat(100) }
    yield { ...plain, body: `"${'x'.repeat(70_000)}"` }
    yield { ...plain, headers: { ...plain.headers, 'content-type': 'text/plain' } }
  }
}

/** Sends requests one after the other, over one connection. */
export function createSender(origin: string): { send(probe: Probe): Promise<HttpResponse>; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    send: ({ method, path, headers, body }) => {
      const sent = request(origin, { method, path, headers, agent })
      sent.end(body)
      return readResponse(sent)
    },
    close: () => agent.destroy(),
  }
}

function entries(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value : []
}

function resolve(document: Schema, value: unknown): Schema {
  const { $ref, ...rest } = (value ?? {}) as Schema
  return typeof $ref === 'string' ? { ...at(document, $ref.slice(1)), ...rest } : rest
}

/** Values for a schema, the first of which is valid where that is easy; the others may be valid or not. */
function makeValues(document: Schema, schema: Schema): readonly unknown[] {
  if (Array.isArray(schema.enum)) return [...schema.enum, 'other']
  if ('const' in schema) return [schema.const, 'other']
  const { minLength = 0, maxLength = 1000 } = schema as Readonly<Record<string, number>>
  switch ([schema.type].flat()[0]) {
    case 'integer':
    case 'number': {
      const isLong = schema.format === 'int64'
      const [least, most] = isLong ? [-(2n ** 63n), 2n ** 63n - 1n] : [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
      const { minimum = least, maximum = most } = schema as { minimum?: number; maximum?: number }
      return [minimum > 1 ? minimum : 1, minimum, maximum, Number(minimum) - 1, 0, -5, 1.5, 'x']
    }
    case 'boolean':
      return [true, 'x']
    case 'array':
      return [makeValues(document, resolve(document, schema.items)).slice(0, 1), []]
    case 'object': {
      const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, unknown>>)
      const values = properties.map(([name, inner]) => [name, makeValues(document, resolve(document, inner))] as const)
      const whole = Object.fromEntries(values.map(([name, [value]]) => [name, value]))
      const replaced = values.flatMap(([name, [, ...others]]) => others.map((value) => ({ ...whole, [name]: value })))
      const reduced = values.map(([name]) =>
        Object.fromEntries(Object.entries(whole).filter(([other]) => other !== name)),
      )
      return [whole, ...reduced, ...replaced, { ...whole, other: 1 }, {}, [], null]
    }
    default:
      return ['Rex'.padEnd(minLength, 'x'), 'x'.repeat(maxLength), '', '\u0000']
  }
}
