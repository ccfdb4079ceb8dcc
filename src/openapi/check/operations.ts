/**
 * What a document says of its operations, taken together: ids, paths, parameters, bodies, security and lifecycle.
 * The document may be wrong in any other way at the same time, so nothing is taken for granted here.
 */
import type { Problem } from '../document.ts'
import type { OpenApi } from '../model.ts'
import { isIdempotencyKey } from '../operations.ts'
import { pointerTo } from '../pointer.ts'
import { valueAt } from '../references.ts'
import { dereference, entriesOf, type FoundOperation, findOperations, valuesOf } from './find.ts'

/**
 * Segments of what a URI has in a path (RFC 3986, section 3.3), but for escapes and colons; clients take "." and ".." out.
 */
const PATH = /^(\/(?!\.{1,2}(\/|$))(\{\w+\}|[A-Za-z0-9._~!$&'()+,;=@-]+))+$|^\/$/

/** What is wrong with the operations. */
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
      ...checkLifecycle(each, found),
    ]),
  ]
}

/** OpenAPI 3.1, OpenAPI Object: each name is there once. */
function* checkTags(root: OpenApi): Iterable<Problem> {
  const names = new Set<unknown>()
  for (const [index, tag] of entriesOf(root.tags)) {
    const { name } = valuesOf(tag)
    if (names.has(name)) yield { pointer: `/tags/${index}`, message: `the tag "${name}" is given twice; remove one` }
    names.add(name)
  }
}

/** A path is made of whole segments, each literal or one parameter, and matched as it is written. */
function* checkPaths(root: OpenApi): Iterable<Problem> {
  const shapes = new Map<string, string>()
  for (const [path] of entriesOf(root.paths)) {
    const pointer = pointerTo('paths', path)
    if (path.startsWith('/') && !PATH.test(path)) {
      const message = `the path "${path}" is not honoured; make each segment plain text or one {parameter}, named with letters, digits and "_"`
      yield { pointer, message }
    }
    const names = namesIn(path)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) {
      yield { pointer, message: `the path has the parameter "${twice}" twice; choose another name for one of them` }
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
  const seen = new Set<unknown>()
  for (const { pointer, operation } of found) {
    const id = operation.operationId
    if (id !== undefined && seen.has(id)) {
      yield { pointer: `${pointer}/operationId`, message: `the operationId "${id}" is given twice; choose another one` }
    }
    seen.add(id)
  }
}

function* checkScheme(root: OpenApi, pointer: string, security: unknown): Iterable<Problem> {
  for (const [index, requirement] of entriesOf(security)) {
    for (const [name] of entriesOf(requirement)) {
      if (valueAt(root, pointerTo('components', 'securitySchemes', name)) !== undefined) continue
      const message = `there is no security scheme "${name}"; add it to components.securitySchemes or correct the name`
      yield { pointer: `${pointer}/${index}${pointerTo(name)}`, message }
    }
  }
}

function* checkParameters({ path, pointer, parameters }: FoundOperation): Iterable<Problem> {
  const inPath = namesIn(path)
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
        message: `a header parameter "${name}" says nothing (OpenAPI 3.1, Parameter Object); remove it`,
      }
    }
  }
  yield* checkRetryWindows(parameters)
  const seen = new Map<string, { readonly owner: string; readonly name: unknown }>()
  for (const { pointer: place, parameter } of parameters) {
    const { in: kind, name } = parameter
    const owner = place.slice(0, place.lastIndexOf('/'))
    // RFC 9110, section 5.1
    const key = `${kind} ${kind === 'header' ? String(name).toLowerCase() : name}`
    const other = seen.get(key)
    // A parameter of the operation may take the place of one of the path.
    if (other !== undefined && (other.owner === owner || other.name !== name)) {
      yield { pointer: place, message: `the parameter "${name}" is given twice; remove one` }
    }
    seen.set(key, { owner, name })
  }
}

function* checkRetryWindows(parameters: FoundOperation['parameters']): Iterable<Problem> {
  for (const { pointer, parameter } of parameters) {
    const isStated = 'x-retry-window-seconds' in parameter
    if (isIdempotencyKey(parameter) && !isStated) {
      const message = 'how long idempotency keys are kept is not said; add "x-retry-window-seconds" with a number'
      yield { pointer, message }
    } else if (isStated && !isIdempotencyKey(parameter)) {
      const message = '"x-retry-window-seconds" says something of the header "Idempotency-Key" only; remove it'
      yield { pointer: `${pointer}/x-retry-window-seconds`, message }
    }
  }
}

function* checkBodies(root: OpenApi, { method, pointer, operation }: FoundOperation): Iterable<Problem> {
  if (operation.requestBody !== undefined && (method === 'get' || method === 'delete')) {
    const message = `the body of a ${method.toUpperCase()} request means nothing (RFC 9110, section 9.3); remove it`
    yield { pointer: `${pointer}/requestBody`, message }
  }
  for (const [status, response] of entriesOf(operation.responses)) {
    if (['204', '205', '304'].includes(status) && dereference(root, response).content !== undefined) {
      const message = `an answer with the status ${status} has no body (RFC 9110, section 15); remove the content`
      yield { pointer: `${pointer}/responses/${status}`, message }
    }
  }
}

/** The framing of an answer, its connection, and its lifecycle (RFC 9110, RFC 9112, RFC 9745, RFC 8594). */
const BY_SERVER = /^(content-length|transfer-encoding|connection|keep-alive|trailer|upgrade|date|deprecation|sunset)$/i

function* checkHeaders(root: OpenApi, { pointer, operation }: FoundOperation): Iterable<Problem> {
  for (const [status, response] of entriesOf(operation.responses)) {
    const names = new Set<string>()
    for (const [name, header] of entriesOf(dereference(root, response).headers)) {
      const place = pointer + pointerTo('responses', status, 'headers', name)
      // RFC 9110, section 5.1
      if (names.has(name.toLowerCase())) {
        yield { pointer: place, message: `the header "${name}" is given twice; remove one` }
      }
      names.add(name.toLowerCase())
      const schema = dereference(root, dereference(root, header).schema)
      if (BY_SERVER.test(name) && ('const' in schema || 'enum' in schema)) {
        const message = `what "${name}" says is for the server to find out; remove its const or enum`
        yield { pointer: place, message }
      }
    }
  }
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const LIFECYCLE = ['x-deprecated-since', 'x-sunset', 'x-replaced-by']

function* checkLifecycle({ pointer, operation }: FoundOperation, found: readonly FoundOperation[]): Iterable<Problem> {
  const { deprecated, 'x-deprecated-since': since, 'x-sunset': sunset, 'x-replaced-by': successor } = operation
  // With "deprecated: false" the lifecycle is put aside; without a word, it has been forgotten.
  for (const field of LIFECYCLE.filter((field) => deprecated === undefined && field in operation)) {
    const message = `"${field}" says nothing of an operation that is not deprecated; add "deprecated: true" or remove it`
    yield { pointer: `${pointer}/${field}`, message }
  }
  if (deprecated === true && since === undefined) {
    const message = 'since when the operation is deprecated is not said; add "x-deprecated-since" with a date'
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
    const message = `there is no operation "${successor}"; name the operationId of the one that replaces this one`
    yield { pointer: `${pointer}/x-replaced-by`, message }
  } else if (namesIn(replacement.path).length > 0) {
    const message = `no link can lead to "${successor}", whose path has parameters; name an operation without, or remove it`
    yield { pointer: `${pointer}/x-replaced-by`, message }
  }
}

/** The parameters that a path template has. */
function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
}
