/** Checks what the values of a document say of each other. `supported.yaml` names the check of a value. */
import type { Header, MediaType, OpenApi, Parameter, RequestBody, Schema } from '../document/model.ts'
import { getKind, getPathParameters, readContent, readParameter } from '../document/operations.ts'
import type { Problem } from '../document/parse.ts'
import {
  type FoundOperation,
  findOperations,
  findSchemas,
  getNamed,
  getTarget,
  getTargetPointer,
  getTypeName,
  resolve,
  toPointer,
} from '../document/references.ts'
import { createMembers, findTypes, getItems, isAmbiguous, isScalar, isSpread, mayBeFile } from '../request/styles.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { findInPlace, IN_PLACE, toSchema } from '../schema/parts.ts'
import { formatViolations } from '../schema/violations.ts'

interface Context {
  readonly root: OpenApi
  readonly compile: SchemaCompiler
  /** The pointers to what references may lead to: objects that are checked themselves. */
  readonly targets: ReadonlySet<string>
  /** Returns the schemas of requests. */
  getReceived(): ReadonlySet<Schema>
}

type Check = (value: never, pointer: string, context: Context) => Iterable<Problem>

/** By the values of the keyword `check`. Each stage relies on what those before it have found to be right. */
export const STAGES: readonly Readonly<Record<string, Check>>[] = [
  { reference: checkTarget },
  { reference: checkLoop },
  {
    encoding: checkEncoding,
    forms: checkForms,
    header: checkHeader,
    headers: checkHeaderNames,
    parameter: checkParameter,
    paths: checkPaths,
    schema: checkSchema,
    security: checkSecurity,
  },
]

function* checkTarget($ref: string, pointer: string, { targets }: Context): Iterable<Problem> {
  if (targets.has(getTargetPointer($ref))) return
  yield { pointer, message: `"${$ref}" does not exist; add it or correct the reference` }
}

/** A reference must not lead back to itself for the same value. */
function* checkLoop($ref: string, pointer: string, { root }: Context): Iterable<Problem> {
  const applied = findInPlace(root, [getTarget(root, $ref)], /^(not|if|then|else|dependentSchemas|\w+Of)$/)
  if (applied.every((schema) => schema.$ref !== $ref)) return
  const what = `"${$ref}" refers back to itself without an object between`
  yield { pointer, message: `${what}; remove one of the references` }
}

/** A requirement names schemes of the document, and not two that need the `Authorization` header for themselves. */
function* checkSecurity(requirement: object, pointer: string, { root }: Context): Iterable<Problem> {
  const schemes = new Map(Object.entries(root.components?.securitySchemes ?? {}))
  for (const name of Object.keys(requirement).filter((name) => !schemes.has(name))) {
    const message = `the security scheme "${name}" does not exist; add it to components.securitySchemes or correct the name`
    yield { pointer: pointer + toPointer(name), message }
  }
  const kinds = Object.keys(requirement).map((name) => {
    const scheme = schemes.get(name)
    return String(scheme?.type === 'http' ? scheme.scheme : scheme?.type)
  })
  if (!kinds.some((kind) => /^basic$/i.test(kind))) return
  if (!kinds.some((kind) => /^(bearer|oauth2|openIdConnect)$/i.test(kind))) return
  const what = 'a request has one Authorization header, not both Basic and Bearer'
  yield { pointer, message: `${what}; write them as alternatives` }
}

function* checkPaths(paths: OpenApi['paths'], pointer: string, { root }: Context): Iterable<Problem> {
  const names = getNamed(paths).map(([path]) => path)
  for (const [path, other] of findRepeated(names, (name) => name.replaceAll(/\{[^{}]+\}/g, '{}'))) {
    const message = `the path matches the same requests as "${other}"; remove one of them`
    yield { pointer: pointer + toPointer(path), message }
  }
  const operations = findOperations(root)
  for (const [{ id, pointer }, other] of findRepeated(operations, ({ id }) => getTypeName(id))) {
    const owner = `${other.method.toUpperCase()} ${other.path}`
    const use = id === other.id ? `belongs to ${owner}, too` : `gives types the same names as "${other.id}" of ${owner}`
    const message = `the operationId "${id}" ${use}; choose another one`
    yield { pointer: `${pointer}/operationId`, message, other: `${other.pointer}/operationId` }
  }
  for (const found of operations) {
    yield* checkParameters(found, root)
    yield* checkLifecycle(found, operations)
  }
}

function* checkParameters({ path, pointer, item, operation }: FoundOperation, root: OpenApi): Iterable<Problem> {
  const lists = [
    { owner: toPointer('paths', path), list: item.parameters },
    { owner: pointer, list: operation.parameters },
  ]
  const parameters = lists.flatMap(({ owner, list = [] }) =>
    list.map((reference, index) => ({
      owner,
      pointer: `${owner}/parameters/${index}`,
      ...readParameter(resolve<Parameter>(root, reference)),
    })),
  )
  const inPath = getPathParameters(path)
  const declared = parameters.filter((parameter) => parameter.in === 'path')
  for (const name of new Set(inPath).difference(new Set(declared.map((parameter) => parameter.name)))) {
    yield { pointer, message: `the path parameter "${name}" is not declared; add it to the parameters` }
  }
  for (const { pointer, name, schema } of declared) {
    if (!inPath.includes(name)) {
      yield { pointer, message: `the path has no parameter "${name}"; remove it or add {${name}} to the path` }
    } else if (!isScalar(root, schema) && !path.split('/').includes(`{${name}}`)) {
      const what = 'an array or object needs a segment of its own in the path'
      yield { pointer, message: `${what}; remove the text beside it` }
    }
  }
  // RFC 9110, section 5.1
  const toKey = ({ in: location, name }: Parameter) =>
    `${location} ${location === 'header' ? name.toLowerCase() : name}`
  for (const [{ owner, pointer, name }, other] of findRepeated(parameters, toKey)) {
    // A parameter of the operation may take the place of one of the path.
    if (other.name === name && other.owner !== owner) continue
    yield { pointer, message: `the parameter "${name}" is declared twice; remove one` }
  }
}

function* checkLifecycle(
  { operation, pointer }: FoundOperation,
  operations: readonly FoundOperation[],
): Iterable<Problem> {
  const { 'x-deprecated-since': since, 'x-sunset': sunset, 'x-replaced-by': successor } = operation
  // RFC 9745, section 4
  if (since !== undefined && sunset !== undefined && sunset < since) {
    const what = `the sunset ${sunset} is earlier than the deprecation ${since}`
    yield { pointer: `${pointer}/x-sunset`, message: `${what}; change one of them` }
  }
  // A link leads to one URL.
  if (successor !== undefined && !operations.some(({ id, path }) => id === successor && !path.includes('{'))) {
    const what = `"${successor}" is not the operationId of an operation without path parameters`
    yield { pointer: `${pointer}/x-replaced-by`, message: `${what}; name one, or remove it` }
  }
}

/** The styles write scalars, arrays and objects of scalars, and in the query also arrays within an exploded object. */
function* checkParameter(declared: Parameter, pointer: string, { root, compile }: Context): Iterable<Problem> {
  const parameter = readParameter(declared)
  const { in: location, schema, style, explode, isJson } = parameter
  if (parameter.allowEmptyValue && (isJson || 'errors' in compile(schema)(''))) {
    const message = 'an empty text is not valid here; remove it, or change the schema'
    yield { pointer: `${pointer}/allowEmptyValue`, message }
  }
  if (isJson) return
  const types = findTypes(root, schema)
  const [isList, isObject] = [types.includes('array'), types.includes('object')]
  const toProblem = (message: string) => ({ pointer: `${pointer}/schema`, message })
  if (isList && isObject) {
    yield toProblem('a parameter cannot be an array as well as an object; remove one of the types')
  } else if (style === 'deepObject' && !isObject) {
    yield toProblem('the style "deepObject" is for objects; remove it')
  } else if (location === 'cookie' && explode && (isList || isObject)) {
    yield toProblem('a cookie has one value; add "explode: false" to the parameter')
  }
  const { names, find } = createMembers(root, schema, (member) => member)
  const members = isObject ? [...names, ''].map(find) : []
  const parts = [
    ...(isList ? getItems(root, schema) : []),
    ...members.flatMap((member) => (isSpread(root, parameter) ? getItems(root, member) : member)),
  ]
  if (parts.some((part) => !isScalar(root, part))) {
    const what = 'no style writes what is within arrays and objects'
    yield toProblem(`${what}; use scalars, or content with "application/json"`)
  } else if (isAmbiguous(root, schema)) yield toProblem(AMBIGUOUS)
}

const AMBIGUOUS = 'alternatives give the same texts different types; use one of the types'

/** A field of a form is one text or file, whichever alternative the form satisfies. */
function* checkForms({ content }: RequestBody, pointer: string, { root }: Context): Iterable<Problem> {
  for (const [type, { schema = {} }] of Object.entries(content)) {
    if (getKind(type.toLowerCase()) !== 'form' || !isAmbiguous(root, toSchema(schema))) continue
    yield { pointer: pointer + toPointer('content', type, 'schema'), message: AMBIGUOUS }
  }
}

/** The parser of forms reads texts, files and JSON, each from its usual media type (OpenAPI 3.1, Encoding Object). */
function* checkEncoding(
  { schema = {}, encoding = {} }: MediaType,
  pointer: string,
  { root }: Context,
): Iterable<Problem> {
  const { find } = createMembers(root, toSchema(schema), (member) => member)
  for (const [name, { contentType }] of Object.entries(encoding)) {
    const kind = getItems(root, find(name)).every((item) => isScalar(root, item)) ? 'text' : 'json'
    if (contentType === undefined || mayBeFile(root, find(name))) continue
    if (getKind(contentType.toLowerCase()) === kind) continue
    const message = `no field but a file has the type ${contentType}; remove it, or change the schema`
    yield { pointer: pointer + toPointer('encoding', name), message }
  }
}

/** The value of a header that clients read as it was written (RFC 9110, section 5.5). */
const FIELD_VALUE = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/

/** A header has one value, which is sent as text. */
function* checkHeader({ schema: declared }: Header, pointer: string, { root }: Context): Iterable<Problem> {
  const toProblem = (message: string) => ({ pointer: `${pointer}/schema`, message })
  const schema = toSchema(declared)
  if (!isScalar(root, schema)) yield toProblem('a header must be a scalar; change its type')
  const { const: constant, enum: values = [] } = resolve<Schema>(root, schema)
  for (const value of [constant, ...values].filter((value) => !FIELD_VALUE.test(String(value)))) {
    const what = `a header cannot have the value ${JSON.stringify(value)}`
    yield toProblem(`${what}; use printable ASCII characters, without blanks at the ends`)
  }
}

/** The names of headers ignore case (RFC 9110, section 5.1). */
function* checkHeaderNames(headers: object, pointer: string): Iterable<Problem> {
  for (const [name, other] of findRepeated(Object.keys(headers), (text) => text.toLowerCase())) {
    const message = `the header "${name}" is declared as "${other}", too; remove one of them`
    yield { pointer: pointer + toPointer(name), message }
  }
}

/** Finds all schemas that the parameters and bodies of operations have, at any depth. */
export function findReceived(root: OpenApi): ReadonlySet<Schema> {
  const received = findOperations(root).flatMap(({ item, operation }) => {
    const parameters = [item.parameters ?? [], operation.parameters ?? []].flat()
    const body = operation.requestBody && resolve<RequestBody>(root, operation.requestBody)
    return [
      ...parameters.map((reference) => readParameter(resolve<Parameter>(root, reference))),
      ...readContent(body?.content),
    ]
  })
  return new Set(findSchemas(root, { anyOf: received.map(({ schema }) => schema) }))
}

function* checkSchema(schema: Schema | boolean, pointer: string, context: Context): Iterable<Problem> {
  if (typeof schema === 'boolean') return
  const { root, compile, getReceived } = context
  // Ajv does not know for each value which items `contains`, or `items` of an alternative, evaluate (JSON Schema 2020-12, 11.2).
  if ('unevaluatedItems' in schema) {
    const always = findInPlace(root, [schema])
    const all = findInPlace(root, [schema], IN_PLACE)
    if (all.some((part) => 'contains' in part || ('items' in part && !always.includes(part)))) {
      const what = '"unevaluatedItems" is not supported beside "contains", or "items" of an alternative'
      yield { pointer: `${pointer}/unevaluatedItems`, message: `${what}; use "items" or "prefixItems"` }
    }
  }
  // The types of handlers have the listed values alone, and clients may send others.
  if ('x-extensible-enum' in schema && getReceived().has(schema)) {
    const what = 'a request has this "x-extensible-enum", which is for responses'
    yield { pointer: `${pointer}/x-extensible-enum`, message: `${what}; use "enum", in a schema of its own if need be` }
  }
  if ('default' in schema && getReceived().has(schema)) yield* checkDefault(schema, `${pointer}/default`, compile)
}

/** A default that is not valid would reach handlers. */
function* checkDefault(schema: Schema, pointer: string, compile: SchemaCompiler): Iterable<Problem> {
  try {
    const [violation] = formatViolations('default', compile(schema)(structuredClone(schema.default)))
    if (violation === undefined) return
    yield { pointer, message: `the default is not valid against its schema: ${violation}; change one of them` }
  } catch (error) {
    // The default contains itself. Any other error has its cause in a schema, where it is reported.
    if (error instanceof RangeError) {
      yield { pointer, message: 'the default is recursive; remove one of its properties' }
    }
  }
}

/** Finds the items whose key an item before has, too, each with that item. */
function* findRepeated<Item>(
  items: readonly Item[],
  getKey: (item: Item) => unknown,
): Iterable<[item: Item, other: Item]> {
  const seen = new Map<unknown, Item>()
  for (const item of items) {
    const key = getKey(item)
    const other = seen.get(key)
    if (other !== undefined) yield [item, other]
    seen.set(key, item)
  }
}
