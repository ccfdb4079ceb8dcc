/**
 * What a document says of its operations, taken together: ids, paths, parameters, bodies, security and lifecycle.
 * The document may be wrong in any other way at the same time, so nothing is taken for granted here.
 */
import type { Problem } from '../document.ts'
import type { OpenApi } from '../model.ts'
import { pointerTo } from '../pointer.ts'
import { valueAt } from '../references.ts'
import { dereference, entriesOf, type FoundOperation, findOperations } from './find.ts'

/** What is wrong with the operations. */
export function checkOperations(root: OpenApi): Problem[] {
  const found = [...findOperations(root)]
  return [
    ...checkPaths(root),
    ...checkIds(found),
    ...checkScheme(root, '/security', root.security),
    ...found.flatMap((each) => [
      ...checkParameters(root, each),
      ...checkBodies(root, each),
      ...checkScheme(root, `${each.pointer}/security`, each.operation.security),
      ...checkLifecycle(each, found),
    ]),
  ]
}

/** A path is made of whole segments, each literal or one parameter, and matched as it is written. */
function* checkPaths(root: OpenApi): Iterable<Problem> {
  const shapes = new Map<string, string>()
  for (const [path] of entriesOf(root.paths)) {
    const pointer = pointerTo('paths', path)
    if (!/^(\/(\{\w+\}|[A-Za-z0-9._~!$&'()+,;=@-]+))+$|^\/$/.test(path)) {
      const message = `the path "${path}" is not honoured; make each segment one {parameter} or plain text without escapes`
      yield { pointer, message }
    }
    const shape = path.replaceAll(/\{[^}]*\}/g, '{}')
    const first = shapes.get(shape)
    if (first !== undefined)
      yield { pointer, message: `the path matches the same requests as "${first}"; remove one of them` }
    shapes.set(shape, path)
  }
}

function* checkIds(found: readonly FoundOperation[]): Iterable<Problem> {
  const pointers = new Map<unknown, string>()
  for (const { pointer, operation } of found) {
    const id = operation.operationId
    if (id === undefined) continue
    if (pointers.has(id)) {
      yield { pointer: `${pointer}/operationId`, message: `the operationId "${id}" is given twice; choose another one` }
    }
    pointers.set(id, pointer)
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

function* checkParameters(root: OpenApi, { path, pointer, parameters }: FoundOperation): Iterable<Problem> {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const declared = parameters.filter(({ parameter }) => parameter.in === 'path').map(({ parameter }) => parameter.name)
  for (const name of inPath.filter((name) => !declared.includes(name))) {
    yield { pointer, message: `the path parameter "${name}" is not declared; add it to the parameters` }
  }
  for (const { pointer: place, parameter } of parameters) {
    const { name } = parameter
    if (parameter.in === 'path' && !inPath.some((each) => each === name)) {
      yield { pointer: place, message: `the path has no parameter "${name}"; remove it or add {${name}} to the path` }
    }
    if (parameter.in === 'header' && /^(accept|content-type|authorization)$/i.test(String(name))) {
      yield {
        pointer: place,
        message: `a header parameter "${name}" says nothing (OpenAPI 3.1, Parameter Object); remove it`,
      }
    }
    if (!isText(root, parameter.schema, parameter.in === 'query')) {
      const shape = parameter.in === 'query' ? 'one simple type, or an array of one' : 'one simple type'
      yield { pointer: place, message: `the parameter "${name}" cannot be read from text; give its schema ${shape}` }
    }
  }
  const names = new Set<string>()
  for (const { pointer: place, parameter } of parameters) {
    const owner = place.slice(0, place.lastIndexOf('/'))
    const name = `${owner} ${parameter.in} ${String(parameter.name).toLowerCase()}`
    if (names.has(name))
      yield { pointer: place, message: `the parameter "${parameter.name}" is given twice; remove one` }
    names.add(name)
  }
}

/** Whether values of the schema can be written as text in one way: a string, a number or a boolean, or a list of them. */
function isText(root: OpenApi, schema: unknown, orList: boolean): boolean {
  const { type, items } = dereference(root, schema)
  if (type === undefined) return false
  if (type === 'array') return orList && isText(root, items, false)
  return ['string', 'integer', 'number', 'boolean'].some((simple) => simple === type)
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

/** RFC 9745, section 4: what is deprecated goes on for a while; it is not removed before. */
function* checkLifecycle({ pointer, operation }: FoundOperation, found: readonly FoundOperation[]): Iterable<Problem> {
  const { 'x-deprecated-since': since, 'x-sunset': sunset, 'x-replaced-by': successor } = operation
  if (operation.deprecated === true && since === undefined) {
    const message = 'since when the operation is deprecated is not said; add "x-deprecated-since" with a date'
    yield { pointer: `${pointer}/deprecated`, message }
  }
  if (typeof since === 'string' && typeof sunset === 'string' && sunset < since) {
    const message = `the sunset ${sunset} is earlier than the deprecation ${since} (RFC 9745, section 4); change one of them`
    yield { pointer: `${pointer}/x-sunset`, message }
  }
  if (successor !== undefined && !found.some(({ operation: other }) => other.operationId === successor)) {
    const message = `there is no operation "${successor}"; name the operationId of the one that replaces this one`
    yield { pointer: `${pointer}/x-replaced-by`, message }
  }
}
