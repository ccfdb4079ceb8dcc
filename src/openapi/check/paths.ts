/** Checks paths, operations, parameters and headers: what their fields say of each other. */
import type { Header, MediaType, OpenApi, OperationObject, Parameter, RequestBody, Schema } from '../document/model.ts'
import { getKind, getPathParameters, readContent, readParameter } from '../document/operations.ts'
import {
  type FoundOperation,
  findOperations,
  findSchemas,
  getNamed,
  getTypeName,
  resolve,
} from '../document/references.ts'
import { findMembers, findTypes, getItem, getMember, isFile, isScalar } from '../request/styles.ts'
import { toSchema } from '../schema/parts.ts'
import { findRepeated, type Place } from './place.ts'

/** Checks the Paths Object. */
export function checkPaths(paths: OpenApi['paths'], place: Place): void {
  const names = getNamed(paths).map(([path]) => path)
  for (const [path, other] of findRepeated(names, (name) => name.replaceAll(/\{[^{}]+\}/g, '{}'))) {
    place.at(path).report(`the path matches the same requests as "${other}"; remove one of them`)
  }
  const operations = findOperations(place.root)
  for (const [found, other] of findRepeated(operations, ({ id }) => getTypeName(id))) {
    const { id } = found
    const owner = `${other.method.toUpperCase()} ${other.path}`
    const use = id === other.id ? `belongs to ${owner}, too` : `gives types the same names as "${other.id}" of ${owner}`
    const message = `the operationId "${id}" ${use}; choose another one`
    place.at(found.path, ...found.fields, 'operationId').report(message, `${other.pointer}/operationId`)
  }
  for (const found of operations) {
    const at = place.at(found.path, ...found.fields)
    checkParameters(found, place.at(found.path), at)
    checkRequestBody(found.operation, at)
    checkLifecycle(found.operation, at, operations)
  }
}

/** The styles write scalars, arrays and objects of scalars, and in the query also arrays within an exploded object. */
export function checkParameter(parameter: Parameter, place: Place): void {
  const { in: location, schema, style, explode, isJson } = readParameter(parameter)
  const { root } = place
  const types = findTypes(root, schema)
  if (parameter.allowEmptyValue && (isJson || 'errors' in place.compile(schema)(''))) {
    place.at('allowEmptyValue').report('an empty text is not valid here; remove it, or change the schema')
  }
  if (isJson) return
  const [isList, isObject] = [types.includes('array'), types.includes('object')]
  const report = (what: string, advice: string) => place.at('schema').report(`${what}; ${advice}`)
  if (isList && isObject) report('a parameter cannot be an array as well as an object', 'remove one of the types')
  else if (style === 'deepObject' && !isObject) report('the style "deepObject" is for objects', 'remove it')
  else if (location === 'cookie' && explode && (isList || isObject)) {
    report('a cookie has one value', 'add "explode: false" to the parameter')
  }
  const { names, isOpen } = findMembers(root, schema)
  const members = isObject ? [...names, ...(isOpen ? [''] : [])].map((name) => getMember(root, schema, name)) : []
  const isSpread = location === 'query' && (style === 'deepObject' || (style === 'form' && explode))
  const isListed = (inner: Schema) => inner === schema || (isSpread && findTypes(root, inner).includes('array'))
  const parts = [...members, ...(isList ? [schema] : [])].map((inner) =>
    isListed(inner) ? getItem(root, inner) : inner,
  )
  if (parts.every((part) => isScalar(root, part))) return
  report('no style writes what is within arrays and objects', 'use scalars, or content with "application/json"')
}

/** The parser of forms reads texts, files and JSON, each from its usual media type (OpenAPI 3.1, Encoding Object). */
export function checkEncoding({ schema = {}, encoding = {} }: MediaType, place: Place): void {
  const { root } = place
  for (const [name, { contentType }] of Object.entries(encoding)) {
    const member = getMember(root, toSchema(schema), name)
    const value = findTypes(root, member).includes('array') ? getItem(root, member) : member
    if (contentType === undefined || isFile(root, value) || findTypes(root, value).length === 0) continue
    if (getKind(contentType.toLowerCase()) === (isScalar(root, value) ? 'text' : 'json')) continue
    place
      .at('encoding', name)
      .report(`no field but a file has the type ${contentType}; remove it, or change the schema`)
  }
}

/** The value of a header that clients read as it was written (RFC 9110, section 5.5). */
const FIELD_VALUE = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/

/** A header is text, too. */
export function checkHeader({ schema: declared }: Header, place: Place): void {
  const reference = toSchema(declared)
  if (!isScalar(place.root, reference)) place.at('schema').report('a header must be a scalar; change its type')
  const { const: constant, enum: values = [] } = resolve<Schema>(place.root, reference)
  for (const value of [constant, ...values]) {
    if (FIELD_VALUE.test(String(value))) continue
    const what = `a header cannot have the value ${JSON.stringify(value)}`
    place.at('schema').report(`${what}; use printable ASCII characters, without blanks at the ends`)
  }
}

/** The names of headers ignore case (RFC 9110, section 5.1). */
export function checkHeaderNames(headers: object, place: Place): void {
  for (const [name, other] of findRepeated(Object.keys(headers), (text) => text.toLowerCase())) {
    place.at(name).report(`the header "${name}" is declared as "${other}", too; remove one of them`)
  }
}

function checkParameters({ path, item, operation }: FoundOperation, shared: Place, own: Place): void {
  const { root } = own
  const parameters = [
    { owner: shared, list: item.parameters },
    { owner: own, list: operation.parameters },
  ].flatMap(({ owner, list = [] }) =>
    list.map((parameter, index) => ({
      owner,
      at: owner.at('parameters', index),
      ...resolve<Parameter>(root, parameter),
    })),
  )
  const inPath = getPathParameters(path)
  const declared = parameters.filter((parameter) => parameter.in === 'path')
  for (const name of new Set(inPath).difference(new Set(declared.map((parameter) => parameter.name)))) {
    own.report(`the path parameter "${name}" is not declared; add it to the parameters`)
  }
  for (const { at, name } of declared.filter((parameter) => !inPath.includes(parameter.name))) {
    at.report(`the path has no parameter "${name}"; remove it or add {${name}} to the path`)
  }
  for (const { at, ...parameter } of parameters) {
    const { in: location, name, schema } = readParameter(parameter)
    checkReceived(schema, at)
    if (location !== 'path' || isScalar(root, schema) || path.split('/').includes(`{${name}}`)) continue
    at.report('an array or object needs a segment of its own in the path; remove the text beside it')
  }
  // RFC 9110, section 5.1
  const toKey = ({ in: location, name }: Parameter) =>
    `${location} ${location === 'header' ? name.toLowerCase() : name}`
  for (const [{ owner, at, name }, other] of findRepeated(parameters, toKey)) {
    // A parameter of the operation may take the place of one of the path.
    if (other.name === name && other.owner !== owner) continue
    at.report(`the parameter "${name}" is declared twice; remove one`)
  }
}

function checkRequestBody({ requestBody }: OperationObject, place: Place): void {
  if (requestBody === undefined) return
  const { content } = resolve<RequestBody>(place.root, requestBody)
  for (const { schema } of readContent(content)) checkReceived(schema, place.at('requestBody'))
}

/** The types of a handler limit an extensible enum to the listed values, and a client may send others. */
function checkReceived(schema: Schema, place: Place): void {
  if (!findSchemas(place.root, schema).some((inner) => 'x-extensible-enum' in inner)) return
  const advice = 'use "enum" in requests, in a schema of their own if need be'
  place.report(`this has an "x-extensible-enum", which is for responses; ${advice}`)
}

function checkLifecycle(operation: OperationObject, place: Place, operations: readonly FoundOperation[]): void {
  const { 'x-deprecated-since': since, 'x-sunset': sunset, 'x-replaced-by': successor } = operation
  // RFC 9745, section 4
  if (since !== undefined && sunset !== undefined && sunset < since) {
    const what = `the sunset ${sunset} is earlier than the deprecation ${since}`
    place.at('x-sunset').report(`${what}; change one of them`)
  }
  // A link leads to one URL.
  if (successor !== undefined && !operations.some(({ id, path }) => id === successor && !path.includes('{'))) {
    const what = `"${successor}" is not the operationId of an operation without path parameters`
    place.at('x-replaced-by').report(`${what}; name one, or remove it`)
  }
}
