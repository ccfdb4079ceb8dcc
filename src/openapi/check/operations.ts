/** Checks what a rule for one value cannot see: paths with their operations, parameters, bodies and deprecations. */
import { getTypeName, STATUSES_WITHOUT_BODY } from '../document/operations.ts'
import {
  dereference,
  type FoundOperation,
  findOperations,
  getEntries,
  getValueAt,
  toPointer,
  type Values,
} from '../document/references.ts'
import { createPlace, findRepeated, type Place } from './rules.ts'

/** Checks the Paths Object, and all operations in it. */
export function checkOperations(paths: Values, place: Place): void {
  for (const path of Object.keys(paths)) checkPath(path, place.at(path))
  const toShape = (path: string) => path.replaceAll(/\{[^}]*\}/g, '{}')
  for (const [path, other] of findRepeated(Object.keys(paths), toShape)) {
    place.at(path).report(`the path matches the same requests as "${other}"; remove one of them`)
  }
  const operations = findOperations(place.root)
  checkIds(operations, place)
  for (const operation of operations) {
    const at = createPlace(place, operation.pointer)
    checkParameters(operation.path, at)
    checkBodies(operation, at)
    checkDeprecation(operation.operation, at, operations)
  }
}

/** Segments (RFC 3986, section 3.3) without escapes and colons, and without "." and "..", which clients remove. */
const PATH = /^(\/(?!\.{1,2}(\/|$))(\{\w+\}|[A-Za-z0-9._~!$&'()+,;=@-]+))+$|^\/$/

function checkPath(path: string, place: Place): void {
  if (path.startsWith('/') && !PATH.test(path)) {
    const advice = 'make each segment plain text or one {parameter}, named with letters, digits and "_"'
    place.report(`the path "${path}" is not supported; ${advice}`)
  }
  for (const [name] of findRepeated(getPathParameters(path), String)) {
    place.report(`the path has the parameter "${name}" twice; rename one of them`)
  }
}

function checkIds(operations: readonly FoundOperation[], place: Place): void {
  const toName = ({ operation: { operationId: id } }: FoundOperation) =>
    typeof id === 'string' ? getTypeName(id) : undefined
  for (const [{ pointer, operation }, other] of findRepeated(operations, toName)) {
    const [id, otherId] = [operation.operationId, other.operation.operationId]
    const use = id === otherId ? 'is used twice' : `gives types the same names as "${otherId}"`
    createPlace(place, `${pointer}/operationId`).report(`the operationId "${id}" ${use}; choose another one`)
  }
}

function checkParameters(path: string, place: Place): void {
  const { root, pointer } = place
  const inPath = getPathParameters(path)
  const parameters = [toPointer('paths', path), pointer].flatMap((owner) =>
    getEntries(getValueAt(root, `${owner}/parameters`)).map(([index, value]) => {
      const { in: kind, name } = dereference(root, value) ?? {}
      return { owner, at: createPlace(place, `${owner}/parameters/${index}`), kind, name }
    }),
  )
  const declared = parameters.filter(({ kind }) => kind === 'path')
  // A parameter without a name is a mistake by itself, and may be any.
  for (const name of parameters.every((each) => each.name !== undefined) ? inPath : []) {
    if (declared.some((each) => each.name === name)) continue
    place.report(`the path parameter "${name}" is not declared; add it to the parameters`)
  }
  for (const { at, name } of declared) {
    if (name === undefined || inPath.includes(String(name))) continue
    at.report(`the path has no parameter "${name}"; remove it or add {${name}} to the path`)
  }
  // RFC 9110, section 5.1
  const toKey = ({ kind, name }: (typeof parameters)[number]) =>
    name && `${kind} ${kind === 'header' ? String(name).toLowerCase() : name}`
  for (const [{ owner, at, name }, other] of findRepeated(parameters, toKey)) {
    // A parameter of the operation may take the place of one of the path.
    if (other.name === name && other.owner !== owner) continue
    at.report(`the parameter "${name}" is declared twice; remove one`)
  }
}

function checkBodies({ method, operation }: FoundOperation, place: Place): void {
  if (operation.requestBody !== undefined && (method === 'get' || method === 'delete')) {
    const what = `a ${method.toUpperCase()} request must not have a body (RFC 9110, section 9.3)`
    place.at('requestBody').report(`${what}; remove it`)
  }
  for (const [status, response] of getEntries(operation.responses)) {
    const hasContent = dereference(place.root, response)?.content !== undefined
    if (!hasContent || !STATUSES_WITHOUT_BODY.includes(Number(status))) continue
    const what = `a response with the status ${status} must not have a body (RFC 9110, section 15)`
    place.at('responses', status).report(`${what}; remove the content`)
  }
}

const DATE = /^\d{4}-\d{2}-\d{2}$/

function checkDeprecation(operation: Values, place: Place, operations: readonly FoundOperation[]): void {
  const { deprecated, 'x-deprecated-since': since, 'x-sunset': sunset, 'x-replaced-by': successor } = operation
  // With "deprecated: false" the fields are kept for later; without it, it has been forgotten.
  for (const field of ['x-deprecated-since', 'x-sunset', 'x-replaced-by']) {
    if (deprecated !== undefined || !(field in operation)) continue
    const what = `"${field}" has no effect on an operation that is not deprecated`
    place.at(field).report(`${what}; add "deprecated: true" or remove it`)
  }
  if (deprecated === true && since === undefined) {
    place.at('deprecated').report('the deprecation has no date; add "x-deprecated-since" with it, as YYYY-MM-DD')
  }
  // RFC 9745, section 4
  if (DATE.test(String(since)) && DATE.test(String(sunset)) && String(sunset) < String(since)) {
    const what = `the sunset ${sunset} is earlier than the deprecation ${since}`
    place.at('x-sunset').report(`${what}; change one of them`)
  }
  if (successor === undefined) return
  const replacement = operations.find((other) => other.operation.operationId === successor)
  if (replacement === undefined) {
    const advice = 'write the operationId of the replacement'
    place.at('x-replaced-by').report(`the operation "${successor}" does not exist; ${advice}`)
  } else if (getPathParameters(replacement.path).length > 0) {
    const what = `a link cannot lead to "${successor}", whose path has parameters`
    place.at('x-replaced-by').report(`${what}; name an operation without, or remove it`)
  }
}

function getPathParameters(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name as string)
}
