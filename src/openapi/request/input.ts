/** Reads what an operation receives from a request: the values of its path, query, headers, cookies and body. */
import type { IncomingMessage } from 'node:http'
import type { OpenApi, Schema } from '../document/model.ts'
import {
  getHandlerParameters,
  getPathParameters,
  isChoice,
  type Operation,
  type Parameter,
} from '../document/operations.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { formatMember, invalidRequest, takeValue } from '../schema/violations.ts'
import type { BodyReader } from './body.ts'
import { createFieldsReader, type Field } from './fields.ts'
import { createParameterReader, findMembers, findTypes, getMember, isScalar } from './styles.ts'
import { getFieldValues, getQuery, parseCookies, parseQuery, parseRawQuery, type TextPairs } from './text.ts'

/** The parts of a request as its operation declares them: validated, typed, with defaults filled in. */
export interface Input {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly header: Readonly<Record<string, unknown>>
  readonly cookie: Readonly<Record<string, unknown>>
  /** Undefined if there is none. */
  readonly body: unknown
  /** The media type of the body, if the operation declares several. */
  readonly contentType?: string | undefined
}

/**
 * Makes the reader of an operation's requests. It reads a parsed body, undefined if there is none, as the reader of its media
 * type says, and throws a 400 that lists everything that violates the spec.
 */
export function createInputReader(root: OpenApi, operation: Operation, compile: SchemaCompiler) {
  const { requestBody, security } = operation
  const parameters = getHandlerParameters(operation)
  const schemes = security.flat().map(({ scheme }) => scheme)
  const credentials = schemes.flatMap((scheme) =>
    scheme.type === 'apiKey' && scheme.in === 'query' ? [scheme.name] : [],
  )
  const createReader = (location: Parameter['in']) =>
    createParametersReader(root, location, parameters, location === 'query' ? credentials : [], compile)
  const readPath = createReader('path')
  const readQuery = createReader('query')
  const readHeader = createReader('header')
  const readCookie = createReader('cookie')
  const headers = parameters
    .filter((parameter) => parameter.in === 'header')
    .map((parameter) => ({
      name: parameter.name,
      field: parameter.name.toLowerCase(),
      isOneText: isScalar(root, parameter.schema),
    }))
  const cookies = parameters.flatMap(({ in: location, name }) => (location === 'cookie' ? [name] : []))
  const isRaw = (location: Parameter['in']) =>
    parameters.some((parameter) => parameter.in === location && !isScalar(root, parameter.schema))
  const parsePairs = isRaw('query') ? parseRawQuery : parseQuery
  const getPathPairs = createPathReader(operation.path, isRaw('path'))
  const hasChoice = requestBody !== undefined && isChoice(requestBody.content)

  function getFields(raw: IncomingMessage): TextPairs {
    return headers.flatMap(({ name, field, isOneText }) => {
      const values = getFieldValues(raw, field)
      // The lines of a list are one (RFC 9110, section 5.3).
      return (isOneText || values.length === 0 ? values : [values.join()]).map((value) => [name, value] as const)
    })
  }

  function getCookies(raw: IncomingMessage, violations: string[]): TextPairs {
    return parseCookies(raw).flatMap(([name, value]) => {
      if (!cookies.includes(name)) return []
      try {
        return [[name, decodeURIComponent(value), value]]
      } catch {
        violations.push(`${formatMember('cookie', name)} has a malformed percent-encoding`)
        return []
      }
    })
  }

  return (
    params: Readonly<Record<string, string>>,
    received: unknown,
    raw: IncomingMessage,
    reader?: BodyReader,
  ): Input => {
    const violations: string[] = []
    const path = readPath(getPathPairs(params, raw.url), violations)
    const hasBody = received !== undefined
    const body = hasBody ? reader?.read(received, violations) : undefined
    if (!hasBody && requestBody?.isRequired) violations.push('body is required')
    const pairs = parsePairs(getQuery(raw.url))
    if (pairs === undefined) violations.push('query has a malformed percent-encoding')
    const query = pairs === undefined ? {} : readQuery(pairs, violations)
    const header = readHeader(getFields(raw), violations)
    const cookie = cookies.length === 0 ? {} : readCookie(getCookies(raw, violations), violations)
    if (violations.length > 0) throw invalidRequest(violations)
    const input = { path, query, header, cookie, body }
    return hasChoice ? { ...input, contentType: reader?.type } : input
  }
}

/**
 * Makes the function that names the parameters of the path as the document does; `isRaw` adds the text as it was sent to
 * each that is a whole segment.
 */
function createPathReader(template: string, isRaw: boolean) {
  const names = getPathParameters(template).map((name) => [name, toRouteName(name)] as const)
  const segments = template.split('/').reverse()
  return (params: Readonly<Record<string, string>>, url = ''): TextPairs => {
    if (!isRaw) return names.map(([name, key]) => [name, params[key] ?? ''])
    const sent = url
      .replace(/[?#].*$/s, '')
      .split('/')
      .reverse()
    return names.map(([name, key]) => [name, params[key] ?? '', sent[segments.indexOf(`{${name}}`)]])
  }
}

/** The name of a path parameter for Fastify's router, where "-", ".", "(" and ":" end a name. */
export function toRouteName(name: string): string {
  return name.replaceAll(/\W/gu, (character) => `$${character.codePointAt(0)}$`)
}

/**
 * Makes the reader of the parameters in one location. It returns their values by name, with defaults filled in, and adds
 * what is wrong to `violations`. Parameters that are neither declared nor among `others` are rejected.
 */
function createParametersReader(
  root: OpenApi,
  location: Parameter['in'],
  parameters: readonly Parameter[],
  others: readonly string[],
  compile: SchemaCompiler,
) {
  const validate = compile(getParametersSchema(parameters, location), 'request')
  const found = parameters.filter((parameter) => parameter.in === location)
  const fields = new Map(found.flatMap((parameter) => createFields(parameter)))
  /** Those whose members may have names that are not declared. */
  const open = found.filter((parameter) => {
    const prefix = getPrefix(parameter)
    // No other parameter can have a name such as `p[x]`, so the validator names the member, also if it is not allowed.
    return prefix === '' ? findMembers(root, parameter.schema).isOpen : prefix !== undefined
  })

  /** What the names of an object's members begin with, if each is sent by a name of its own. */
  function getPrefix({ name, schema, style, explode, isJson }: Parameter): string | undefined {
    if (isJson || location !== 'query' || !findTypes(root, schema).includes('object')) return undefined
    return style === 'deepObject' ? `${name}[` : style === 'form' && explode ? '' : undefined
  }

  function createFields(parameter: Parameter): [string, Field][] {
    const { name, schema } = parameter
    const prefix = getPrefix(parameter)
    if (prefix === undefined) {
      return [[name, { parameter: name, read: createParameterReader(root, parameter, compile) }]]
    }
    return findMembers(root, schema).names.map((member) => [toName(prefix, member), createField(parameter, member)])
  }

  function createField(parameter: Parameter, member: string): Field {
    const own = { ...parameter, schema: getMember(root, parameter.schema, member), style: 'form', explode: true }
    return { parameter: parameter.name, member, read: createParameterReader(root, own, compile) }
  }

  function findOpenField(name: string): Field | undefined {
    for (const parameter of open) {
      const prefix = String(getPrefix(parameter))
      const member = name.slice(prefix.length, prefix === '' ? undefined : -1)
      if (toName(prefix, member) === name && !/[[\]]/.test(member)) return createField(parameter, member)
    }
    return undefined
  }

  const readFields = createFieldsReader(fields, findOpenField, location)
  const none = validate({})
  const mayBeNone = 'value' in none && Object.keys(none.value as object).length === 0
  return (texts: TextPairs, violations: string[]): Record<string, unknown> => {
    if (texts.length === 0 && mayBeNone) return {}
    const own = others.length === 0 ? texts : texts.filter(([name]) => fields.has(name) || !others.includes(name))
    return takeValue(validate(readFields(own, violations)), location, violations) as Record<string, unknown>
  }
}

function toName(prefix: string, member: string): string {
  return prefix === '' ? member : `${prefix}${member}]`
}

/** The schema of the parameters in one location, as the members of an object. */
export function getParametersSchema(parameters: readonly Parameter[], location: Parameter['in']): Schema {
  const found = parameters.filter((parameter) => parameter.in === location)
  return {
    type: 'object',
    properties: Object.fromEntries(found.map(({ name, schema }) => [name, schema])),
    required: found.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}
