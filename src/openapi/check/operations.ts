/**
 * Checks the operations of a document: ids, paths, parameters, bodies, security and deprecation. The document may be wrong
 * in any other way at the same time, so nothing is assumed about its values.
 */
import type { Problem } from '../document/load.ts'
import type { OpenApi } from '../document/model.ts'
import { getTypeName, isIdempotencyKey } from '../document/operations.ts'
import { getValueAt, toPointer } from '../document/references.ts'
import { dereference, type FoundOperation, findOperations, getEntries, toObject } from './find.ts'

/**
 * Segments of a path (RFC 3986, section 3.3), without escapes and colons, and without "." and "..", which clients remove.
 */
const PATH = /^(\/(?!\.{1,2}(\/|$))(\{\w+\}|[A-Za-z0-9._~!$&'()+,;=@-]+))+$|^\/$/

/** Finds what is wrong with the operations. */
export function checkOperations(root: OpenApi): Problem[] {
  const found = [...findOperations(root)]
  return [
    ...checkTags(root),
    ...checkPaths(root),
    ...checkIds(found),
    ...checkScheme(root, '/security', root.security),
    ...found.flatMap((each) => [
      ...checkParameters(each),
      ...checkBodies(root, each),
      ...checkHeaders(root, each),
      ...checkScheme(root, `${each.pointer}/security`, each.operation.security),
      ...checkDeprecation(each, found),
    ]),
  ]
}

/** OpenAPI 3.1, OpenAPI Object: the names of tags are unique. */
function* checkTags(root: OpenApi): Iterable<Problem> {
  const names = new Set<unknown>()
  for (const [index, tag] of getEntries(root.tags)) {
    const { name } = toObject(tag)
    if (names.has(name)) yield { pointer: `/tags/${index}`, message: `the tag "${name}" is declared twice; remove one` }
    names.add(name)
  }
}

/** A path consists of segments, each either literal or one parameter. */
function* checkPaths(root: OpenApi): Iterable<Problem> {
  const shapes = new Map<string, string>()
  for (const [path] of getEntries(root.paths)) {
    const pointer = toPointer('paths', path)
    if (path.startsWith('/') && !PATH.test(path)) {
      const message = `the path "${path}" is not supported; make each segment plain text or one {parameter}, named with letters, digits and "_"`
      yield { pointer, message }
    }
    const names = getPathParameters(path)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) {
      yield { pointer, message: `the path has the parameter "${twice}" twice; rename one of them` }
    }
    const shape = path.replaceAll(/\{[^}]*\}/g, '{}')
    const first = shapes.get(shape)
    if (first !== undefined) {
      yield { pointer, message: `the path matches the same requests as "${first}"; remove one of them` }
    }
    shapes.set(shape, path)
  }
}

function* checkIds(found: readonly FoundOperation[]): Iterable<Problem> {
  const seen = new Map<string, string>()
  for (const { pointer, operation } of found) {
    const id = operation.operationId
    if (typeof id !== 'string') continue
    const name = getTypeName(id)
    const other = seen.get(name)
    if (other !== undefined) {
      const use = other === id ? 'is used twice' : `gives types the same names as "${other}"`
      yield { pointer: `${pointer}/operationId`, message: `the operationId "${id}" ${use}; choose another one` }
    }
    seen.set(name, id)
  }
}

function* checkScheme(root: OpenApi, pointer: string, security: unknown): Iterable<Problem> {
  if (!Array.isArray(security)) return
  for (const [index, requirement] of getEntries(security)) {
    for (const [name] of getEntries(requirement)) {
      if (getValueAt(root, toPointer('components', 'securitySchemes', name)) !== undefined) continue
      const message = `the security scheme "${name}" does not exist; add it to components.securitySchemes or correct the name`
      yield { pointer: `${pointer}/${index}${toPointer(name)}`, message }
    }
  }
}

function* checkParameters({ path, pointer, parameters }: FoundOperation): Iterable<Problem> {
  const inPath = getPathParameters(path)
  const declared = parameters.filter(({ parameter }) => parameter.in === 'path').map(({ parameter }) => parameter.name)
  for (const name of inPath.filter((name) => !declared.includes(name))) {
    yield { pointer, message: `the path parameter "${name}" is not declared; add it to the parameters` }
  }
  for (const { pointer: place, parameter } of parameters) {
    const { name } = parameter
    if (parameter.in === 'path' && !inPath.includes(String(name))) {
      yield { pointer: place, message: `the path has no parameter "${name}"; remove it or add {${name}} to the path` }
    }
    if (parameter.in === 'header' && /^(accept|content-type|authorization)$/i.test(String(name))) {
      yield {
        pointer: place,
        message: `a header parameter "${name}" has no effect (OpenAPI 3.1, Parameter Object); remove it`,
      }
    }
  }
  yield* checkIdempotencyTtl(parameters)
  const seen = new Map<string, { readonly owner: string; readonly name: unknown }>()
  for (const { pointer: place, parameter } of parameters) {
    const { in: kind, name } = parameter
    const owner = place.slice(0, place.lastIndexOf('/'))
    // RFC 9110, section 5.1
    const key = `${kind} ${kind === 'header' ? String(name).toLowerCase() : name}`
    const other = seen.get(key)
    // A parameter of the operation may take the place of one of the path.
    if (other !== undefined && (other.owner === owner || other.name !== name)) {
      yield { pointer: place, message: `the parameter "${name}" is declared twice; remove one` }
    }
    seen.set(key, { owner, name })
  }
}

function* checkIdempotencyTtl(parameters: FoundOperation['parameters']): Iterable<Problem> {
  for (const { pointer, parameter } of parameters) {
    const isStated = 'x-idempotency-ttl-seconds' in parameter
    if (isIdempotencyKey(parameter) && !isStated) {
      const message = 'add "x-idempotency-ttl-seconds": it says how long idempotency keys are stored'
      yield { pointer, message }
    } else if (isStated && !isIdempotencyKey(parameter)) {
      const message = '"x-idempotency-ttl-seconds" applies to the header "Idempotency-Key" only; remove it'
      yield { pointer: `${pointer}/x-idempotency-ttl-seconds`, message }
    }
  }
}

function* checkBodies(root: OpenApi, { method, pointer, operation }: FoundOperation): Iterable<Problem> {
  if (operation.requestBody !== undefined && (method === 'get' || method === 'delete')) {
    const message = `a ${method.toUpperCase()} request must not have a body (RFC 9110, section 9.3); remove it`
    yield { pointer: `${pointer}/requestBody`, message }
  }
  for (const [status, response] of getEntries(operation.responses)) {
    if (['204', '205', '304'].includes(status) && dereference(root, response).content !== undefined) {
      const message = `a response with the status ${status} must not have a body (RFC 9110, section 15); remove the content`
      yield { pointer: `${pointer}/responses/${status}`, message }
    }
  }
}

/** Headers of the message, the connection and the deprecation (RFC 9110, RFC 9112, RFC 9745, RFC 8594). */
const BY_SERVER = /^(content-length|transfer-encoding|connection|keep-alive|trailer|upgrade|date|deprecation|sunset)$/i

function* checkHeaders(root: OpenApi, { pointer, operation }: FoundOperation): Iterable<Problem> {
  for (const [status, response] of getEntries(operation.responses)) {
    const names = new Set<string>()
    for (const [name, header] of getEntries(dereference(root, response).headers)) {
      const place = pointer + toPointer('responses', status, 'headers', name)
      // RFC 9110, section 5.1
      if (names.has(name.toLowerCase())) {
        yield { pointer: place, message: `the header "${name}" is declared twice; remove one` }
      }
      names.add(name.toLowerCase())
      const schema = dereference(root, dereference(root, header).schema)
      if (BY_SERVER.test(name) && ('const' in schema || 'enum' in schema)) {
        const message = `the server computes the value of "${name}"; remove its const or enum`
        yield { pointer: place, message }
      }
    }
  }
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const DEPRECATION_FIELDS = ['x-deprecated-since', 'x-sunset', 'x-replaced-by']

function* checkDeprecation(
  { pointer, operation }: FoundOperation,
  found: readonly FoundOperation[],
): Iterable<Problem> {
  const { deprecated, 'x-deprecated-since': since, 'x-sunset': sunset, 'x-replaced-by': successor } = operation
  // With "deprecated: false" the fields are kept for later; without it, it has been forgotten.
  for (const field of DEPRECATION_FIELDS.filter((field) => deprecated === undefined && field in operation)) {
    const message = `"${field}" has no effect on an operation that is not deprecated; add "deprecated: true" or remove it`
    yield { pointer: `${pointer}/${field}`, message }
  }
  if (deprecated === true && since === undefined) {
    const message = 'add "x-deprecated-since" with the date of the deprecation'
    yield { pointer: `${pointer}/deprecated`, message }
  }
  // RFC 9745, section 4
  if (DATE.test(String(since)) && DATE.test(String(sunset)) && String(sunset) < String(since)) {
    const message = `the sunset ${sunset} is earlier than the deprecation ${since}; change one of them`
    yield { pointer: `${pointer}/x-sunset`, message }
  }
  if (successor === undefined) return
  const replacement = found.find(({ operation: other }) => other.operationId === successor)
  if (replacement === undefined) {
    const message = `the operation "${successor}" does not exist; write the operationId of the replacement`
    yield { pointer: `${pointer}/x-replaced-by`, message }
  } else if (getPathParameters(replacement.path).length > 0) {
    const message = `a link cannot lead to "${successor}", whose path has parameters; name an operation without, or remove it`
    yield { pointer: `${pointer}/x-replaced-by`, message }
  }
}

/** The names of the parameters in a path template. */
function getPathParameters(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
}
