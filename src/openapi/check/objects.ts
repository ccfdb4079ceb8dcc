/** Checks that compare values of a document with each other. `supported.yaml` names the check of a value by `check`. */

import { findAllowedValues } from '../document/allowed-values.ts'
import { getKind, readContent } from '../document/content.ts'
import { type FoundOperation, findOperations } from '../document/find-operations.ts'
import { hasOtherCharset } from '../document/media-type.ts'
import type {
  Encoding,
  HeaderObject,
  MediaTypeObject,
  OpenApi,
  ParameterObject,
  PathItem,
  RequestBodyObject,
  ResponseObject,
  Schema,
  ServerVariable,
} from '../document/model.ts'
import { readParameter } from '../document/parameters.ts'
import type { Problem } from '../document/parse.ts'
import { getPathParameters } from '../document/path-templates.ts'
import { getTargetPointer, toPointer } from '../document/pointers.ts'
import { getReferences } from '../document/references.ts'
import { INTERIM_STATUS } from '../document/responses.ts'
import { findScheme, getSchemeName } from '../document/security.ts'
import { collectReachable, findSchemas, getSubschemas, getTypes, toSchema } from '../document/subschemas.ts'
import { getNamed } from '../document/values.ts'
import { hasVersion } from '../document/version.ts'
import { getFieldViews, isExplodedObject, mayBeFile } from '../request/styles.ts'
import { EVENT_FIELDS, EVENT_STREAM, findFrame } from '../response/frames.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { type Formats, isBuiltIn } from '../schema/formats.ts'
import type { SchemaViews } from '../schema/selection.ts'
import type { SchemaView } from '../schema/view.ts'
import { formatViolations } from '../schema/violations.ts'
import { isObject } from '../shared/json.ts'
import { isAmbiguous } from './text-types.ts'

/** The parts of the document that checks compare a value with. */
interface Context {
  readonly root: OpenApi
  readonly compile: SchemaCompiler
  /** The operations whose path item and id can be read. */
  readonly operations: readonly FoundOperation[]
  /** The pointers to values that contain a mistake or lead to a mistake, and so cannot be checked. */
  readonly tainted: ReadonlySet<string>
  /** All schemas of parameters and request bodies, at any depth. */
  readonly requestSchemas: ReadonlySet<Schema>
  /** The functions of the app for formats. */
  readonly formats: Formats
}

type Check = (value: never, pointer: string, context: Context) => Iterable<Problem>

/** Creates the context of the checks, without the operations and schemas that are tainted. */
export function createContext(
  root: OpenApi,
  compile: SchemaCompiler,
  tainted: ReadonlySet<string>,
  formats: Formats = {},
): Context {
  const pathEntries = getNamed(root.paths).filter(
    ([path, item]) => isObject(item) && !tainted.has(toPointer('paths', path, '$ref')),
  )
  const operations = findOperations({ ...root, paths: Object.fromEntries(pathEntries) }).filter(
    ({ pointer }) => !tainted.has(`${pointer}/operationId`),
  )
  const requestSchemas = findRequestSchemas(root, operations, tainted)
  return { root, compile, operations, tainted, requestSchemas, formats }
}

/** The checks by the values of the keyword `check`. */
export const CHECKS: Readonly<Record<string, Check>> = {
  requestBody: checkRequestBody,
  header: checkHeader,
  headers: checkHeaders,
  parameter: checkParameter,
  pathItem: checkPathItem,
  paths: checkPaths,
  response: checkResponse,
  responses: checkResponses,
  schema: checkSchema,
  security: checkSecurity,
  serverVariable: checkServerVariable,
}

const AMBIGUOUS_TYPES = 'alternatives give the same texts different types; use one of the types'

/** The kind of a reference that may lead to anything. */
const ANY_KIND = 'any'

/** All in-place applicators (JSON Schema 2020-12, section 10.2), also `not` and `if`. */
const IN_PLACE_APPLICATORS = /^(not|if|then|else|dependentSchemas|\w+Of)$/

/**
 * Returns what is wrong with a reference that leads nowhere, to an object of another kind, or back to itself for the same value.
 * `kinds` has the kinds of all objects by their pointers; a kind is a section of the components, such as `parameters`.
 */
export function findReferenceMistake(
  $ref: string,
  kind: string,
  root: OpenApi,
  kinds: ReadonlyMap<string, string>,
): string | undefined {
  const targetKind = kinds.get(getTargetPointer($ref))
  if (targetKind === undefined) return `"${$ref}" does not exist; add it or correct the reference`
  if (targetKind !== kind && kind !== ANY_KIND) {
    return `"${$ref}" is something else; refer to "#/components/${kind}/NAME"`
  }
  const { getTarget } = getReferences(root)
  const getTargets = (reference: string) => [getTarget<unknown>(reference)].filter(isObject)
  const inPlaceSchemas = collectReachable<Schema>(getTargets($ref), (schema) => [
    ...(typeof schema.$ref === 'string' ? getTargets(schema.$ref) : []),
    ...getSubschemas(schema, IN_PLACE_APPLICATORS),
  ])
  if (inPlaceSchemas.every((schema) => schema.$ref !== $ref)) return undefined
  return `"${$ref}" refers back to itself without an object between; remove one of the references`
}

/** Reports names without a security scheme, and schemes whose credentials do not fit into one `Authorization` header. */
function* checkSecurity(requirement: object, pointer: string, { root, tainted }: Context): Iterable<Problem> {
  const authorizationTypes = new Set<string>()
  for (const key of Object.keys(requirement)) {
    const name = getSchemeName(root, key)
    if (tainted.has(toPointer('components', 'securitySchemes', name))) continue
    const scheme = findScheme(root, name)
    if (scheme === undefined) {
      const what = `the security scheme "${key}" does not exist`
      const message = `${what}; add it to components.securitySchemes or correct the name`
      yield { pointer: pointer + toPointer(key), message }
    } else if (scheme.type === 'http') authorizationTypes.add(scheme.scheme.toLowerCase())
    else if (/^(oauth2|openIdConnect)$/.test(scheme.type)) authorizationTypes.add('bearer')
  }
  if (authorizationTypes.size < 2) return
  const what = `a request has one Authorization header, not both ${[...authorizationTypes].join(' and ')}`
  yield { pointer, message: `${what}; write them as alternatives` }
}

/**
 * Reports fields beside `$ref` that its target has as well: it is undefined which of them applies (OpenAPI 3.1, Path Item Object).
 * Texts have no effect, and are not reported.
 */
function* checkPathItem({ $ref, ...fields }: PathItem, pointer: string, { root }: Context): Iterable<Problem> {
  if ($ref === undefined) return
  const target = getReferences(root).resolvePathItem(getReferences(root).getTarget<PathItem>($ref))
  for (const [field] of getNamed(fields)) {
    if (!(field in target) || /^(summary|description)$/.test(field)) continue
    const message = `"${$ref}" has "${field}", too; remove one of them`
    yield { pointer: pointer + toPointer(field), message }
  }
}

/** Reports a default that the enum does not have. */
function* checkServerVariable(
  { default: value, enum: values }: ServerVariable,
  pointer: string,
  { root }: Context,
): Iterable<Problem> {
  if (values === undefined || values.includes(value)) return
  const message = `the default "${value}" is not one of: ${values.join(', ')}; change it, or add it to the enum`
  // A recommendation in OpenAPI 3.0, Server Variable Object.
  yield { pointer: `${pointer}/default`, message, isWarning: hasVersion(root, '3.0') }
}

/** Reports interim responses, which no handler can send. */
function* checkResponses(responses: object, pointer: string): Iterable<Problem> {
  for (const key of Object.keys(responses).filter((key) => INTERIM_STATUS.test(key))) {
    const message = `no handler sends a response before its last one, so "${key}" has no effect; remove it`
    yield { pointer: pointer + toPointer(key), message, isWarning: true }
  }
}

/** Reports paths and operationIds that occur twice, and checks each operation, except for its tainted parts. */
function* checkPaths(paths: OpenApi['paths'], pointer: string, context: Context): Iterable<Problem> {
  const { operations, tainted } = context
  const names = getNamed(paths).map(([path]) => path)
  for (const [path, earlierPath] of findRepeated(names, (name) => name.replaceAll(/\{[^{}]+\}/g, '{}'))) {
    const message = `the path matches the same requests as "${earlierPath}"; remove one of them`
    yield { pointer: pointer + toPointer(path), message }
  }
  for (const [operation, earlierOperation] of findRepeated(operations, ({ id }) => id)) {
    const owner = `${earlierOperation.method.toUpperCase()} ${earlierOperation.path}`
    const message = `the operationId "${operation.id}" belongs to ${owner}, too; choose another one`
    yield {
      pointer: `${operation.pointer}/operationId`,
      message,
      relatedPointer: `${earlierOperation.pointer}/operationId`,
    }
  }
  for (const operation of operations) {
    const parameterLists = [toPointer('paths', operation.path, 'parameters'), `${operation.pointer}/parameters`]
    if (!parameterLists.some((list) => tainted.has(list))) yield* checkParameters(operation, context)
    yield* checkLifecycle(operation, operations)
  }
}

/** Compares the parameters of an operation with its path; reports parameters that are declared twice. */
function* checkParameters(
  { path, pointer, item, operation }: FoundOperation,
  { compile, root }: Context,
): Iterable<Problem> {
  const lists = [
    { owner: toPointer('paths', path), list: item.parameters },
    { owner: pointer, list: operation.parameters },
  ]
  const parameters = lists.flatMap(({ owner, list = [] }) =>
    list.map((reference, index) => ({
      owner,
      pointer: `${owner}/parameters/${index}`,
      ...readParameter(root, getReferences(root).resolve<ParameterObject>(reference)),
    })),
  )
  const templateNames = getPathParameters(path)
  const pathParameters = parameters.filter((parameter) => parameter.in === 'path')
  for (const name of new Set(templateNames).difference(new Set(pathParameters.map((parameter) => parameter.name)))) {
    yield { pointer, message: `the path parameter "${name}" is not declared; add it to the parameters` }
  }
  for (const { pointer, name, schema } of pathParameters) {
    if (!templateNames.includes(name)) {
      yield { pointer, message: `the path has no parameter "${name}"; remove it or add {${name}} to the path` }
    } else if (!compile.views.get(schema).isScalar && !path.split('/').includes(`{${name}}`)) {
      const what = 'an array or object needs a segment of its own in the path'
      yield { pointer, message: `${what}; remove the text beside it` }
    }
  }
  // RFC 9110, section 5.1
  const toParameterKey = ({ in: location, name }: ParameterObject) =>
    `${location} ${location === 'header' ? name.toLowerCase() : name}`
  for (const [{ owner, pointer, name }, earlierParameter] of findRepeated(parameters, toParameterKey)) {
    // A parameter of the operation may replace the path's parameter.
    if (earlierParameter.name === name && earlierParameter.owner !== owner) continue
    yield { pointer, message: `the parameter "${name}" is declared twice; remove one` }
  }
}

/** Reports a sunset before the deprecation, and a successor to which no link can lead. */
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
  // The link to the successor has one URL, so its path has no parameters.
  if (successor !== undefined && !operations.some(({ id, path }) => id === successor && !path.includes('{'))) {
    const what = `"${successor}" is not the operationId of an operation without path parameters`
    yield { pointer: `${pointer}/x-replaced-by`, message: `${what}; name one, or remove it` }
  }
}

/**
 * Reports values that the style of a parameter cannot write. The styles write scalars, arrays and objects of scalars, and in the
 * query also arrays within an exploded object.
 */
function* checkParameter(
  parameterObject: ParameterObject,
  pointer: string,
  { compile, root }: Context,
): Iterable<Problem> {
  const parameter = readParameter(root, parameterObject)
  const { in: location, schema, style, explode, isJson } = parameter
  if (isJson) return
  const view = compile.views.get(schema)
  const [isList, isObject] = [view.mentionedTypes.includes('array'), view.mentionedTypes.includes('object')]
  const toProblem = (message: string) => ({ pointer: `${pointer}/schema`, message })
  if (isList && isObject) {
    yield toProblem('a parameter cannot be an array as well as an object; remove one of the types')
  } else if (style === 'deepObject' && !isObject) {
    yield toProblem('the style "deepObject" is for objects; remove it')
  } else if (location === 'cookie' && explode && (isList || isObject)) {
    yield toProblem('a cookie has one value; add "explode: false" to the parameter')
  }
  const members = isObject ? view.memberViews : []
  const parts = [
    ...(isList ? view.items : []),
    ...members.flatMap((member) => (isExplodedObject(parameter, view) ? getFieldViews(member) : member)),
  ]
  if (parts.some((part) => !part.isScalar)) {
    const what = 'no style writes what is within arrays and objects'
    yield toProblem(`${what}; use scalars, or content with "application/json"`)
  } else if (isAmbiguous(view)) yield toProblem(AMBIGUOUS_TYPES)
}

/** Reports an `itemSchema` where no stream of items can be sent. */
function* checkResponse(
  { content = {} }: ResponseObject,
  pointer: string,
  { compile, root }: Context,
): Iterable<Problem> {
  for (const [type, reference] of Object.entries(content)) {
    const { schema, itemSchema } = getReferences(root).resolve<MediaTypeObject>(reference)
    if (itemSchema === undefined) continue
    const toProblem = (message: string) => ({ pointer: pointer + toPointer('content', type, 'itemSchema'), message })
    if (!hasVersion(root, '3.2')) {
      yield toProblem('"itemSchema" is not in this version of OpenAPI; write "openapi: 3.2.0"')
    } else if (findFrame(type.toLowerCase()) === undefined) {
      const types = `${EVENT_STREAM}, application/jsonl, application/x-ndjson and application/json-seq`
      yield toProblem(`streams of items have the types ${types}; use one of them, or "schema"`)
    } else if (schema !== undefined) {
      yield toProblem('each item is sent by itself, so no "schema" holds for all of them; remove one of the schemas')
    } else if (type.toLowerCase().startsWith(EVENT_STREAM)) {
      const view = compile.views.get(toSchema(itemSchema))
      const messages = findWrongFields(view)
      for (const message of messages) yield toProblem(message)
    }
  }
}

/** Finds the members that are no fields of Server-Sent Events, or have another type (OpenAPI 3.2, Server-Sent Events). */
function* findWrongFields(view: SchemaView): Iterable<string> {
  if (view.types?.includes('object') === false) yield 'an event is an object; use "type: object"'
  for (const name of view.propertyNames) {
    const field = Object.hasOwn(EVENT_FIELDS, name) ? EVENT_FIELDS[name as keyof typeof EVENT_FIELDS] : undefined
    const { types = [] } = view.property(name)
    if (field === undefined) {
      const advice = 'describe JSON in "data" by contentMediaType and contentSchema'
      yield `an event has no field "${name}", only ${Object.keys(EVENT_FIELDS).join(', ')}; ${advice}`
    } else if (types.some((type) => type !== field.type)) {
      yield `the field "${name}" of an event must be of type ${field.type}; JSON in it is a text with a contentSchema`
    }
  }
}

/**
 * Reports streams that no request body can be, and forms whose fields would be read otherwise than the document says. Without a
 * form, `encoding` has no effect.
 */
function* checkRequestBody(
  { content }: RequestBodyObject,
  pointer: string,
  { compile, root }: Context,
): Iterable<Problem> {
  for (const [declaredType, reference] of Object.entries(content)) {
    const type = declaredType.toLowerCase()
    const kind = getKind(type)
    const mediaPointer =
      '$ref' in reference ? getTargetPointer(reference.$ref) : pointer + toPointer('content', declaredType)
    const {
      schema = {},
      itemSchema,
      encoding = {},
      'x-stream': isStreamed,
    } = getReferences(root).resolve<MediaTypeObject>(reference)
    if (itemSchema !== undefined) {
      const message = 'the body of a request is received as a whole; describe it by "schema"'
      yield { pointer: `${mediaPointer}/itemSchema`, message }
    }
    const view = compile.views.get(schema)
    const hasFiles = /^multipart/.test(type) && view.memberViews.some((member) => !member.isNever && mayBeFile(member))
    if (kind !== 'bytes' && hasOtherCharset(type)) {
      yield { pointer: mediaPointer, message: 'texts are read as UTF-8; remove the charset, or write utf-8' }
    }
    if (isStreamed && !(type.includes('*') || kind === 'bytes' || hasFiles)) {
      const what = 'neither bytes nor a multipart form with files, so it is not streamed'
      yield { pointer: `${mediaPointer}/x-stream`, message: `this is ${what}; remove "x-stream"` }
    }
    if (kind !== 'form') continue
    // A text must have one value, whichever branch the form satisfies.
    if (isAmbiguous(view)) yield { pointer: `${mediaPointer}/schema`, message: AMBIGUOUS_TYPES }
    for (const [name, fieldEncoding] of Object.entries(encoding)) {
      const isMultipart = type.startsWith('multipart')
      const isStyled = !isMultipart || !hasVersion(root, '3.0')
      const message = describeEncodingMistake(view.property(name), fieldEncoding, isMultipart, isStyled)
      if (message !== undefined) yield { pointer: mediaPointer + toPointer('encoding', name), message }
    }
  }
}

/**
 * Describes how a field would be read otherwise than its encoding says (OpenAPI 3.1, Encoding Object); undefined if it would
 * not. `isStyled` is false where `style` and `explode` have no effect (OpenAPI 3.0.4, Encoding Object).
 */
function describeEncodingMistake(
  field: SchemaView,
  { contentType, headers = {}, style, explode }: Encoding,
  isMultipart: boolean,
  isStyled: boolean,
): string | undefined {
  const hasStyle = isStyled && (style ?? explode) !== undefined
  const isRepeated = field.mentionedTypes.includes('array') && (style ?? 'form') === 'form' && explode !== false
  if (isStyled && style === 'deepObject') {
    if (!field.mentionedTypes.includes('object')) return 'the style "deepObject" is for objects; remove it'
    const parts = field.memberViews.flatMap((member) => getFieldViews(member))
    return parts.every((part) => part.isScalar)
      ? undefined
      : 'no style writes what is within arrays and objects; use scalars'
  }
  // A style has no effect on a scalar.
  const isPlain = field.isScalar
  if (hasStyle && !isPlain && !isRepeated) {
    return 'the fields of a form have the style "form", with each item of an array by itself; remove "style" and "explode"'
  }
  if (isMultipart && Object.keys(headers).some((name) => !/^content-(type|disposition)$/i.test(name))) {
    return 'the headers of a part are not read; remove them'
  }
  if (contentType === undefined || mayBeFile(field)) return undefined
  const kind = getKind(contentType.toLowerCase())
  if (kind === 'json' || (kind === 'text' && getFieldViews(field).every((item) => item.isScalar))) return undefined
  return `no field but a file has the type ${contentType}; remove it, or change the schema`
}

/** Matches the field values that clients read as they were written (RFC 9110, section 5.5). */
const FIELD_VALUE = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/

/** Reports a header that is no scalar, or has a constant value that clients do not read as it was written. */
function* checkHeader(
  { schema: schemaOrBoolean }: HeaderObject,
  pointer: string,
  { compile, root }: Context,
): Iterable<Problem> {
  const toProblem = (message: string) => ({ pointer: `${pointer}/schema`, message })
  const schema = toSchema(schemaOrBoolean)
  if (!compile.views.get(schema).isScalar) yield toProblem('a header must be a scalar; change its type')
  for (const value of findAllowedValues(root, schema) ?? []) {
    if (FIELD_VALUE.test(String(value))) continue
    const what = `a header cannot have the value ${JSON.stringify(value)}`
    yield toProblem(`${what}; use printable ASCII characters, without blanks at the ends`)
  }
}

/** Reports header names that differ only by case, which HTTP ignores (RFC 9110, section 5.1). */
function* checkHeaders(headers: object, pointer: string): Iterable<Problem> {
  for (const [name, earlierName] of findRepeated(Object.keys(headers), (text) => text.toLowerCase())) {
    const message = `the header "${name}" is declared as "${earlierName}", too; remove one of them`
    yield { pointer: pointer + toPointer(name), message }
  }
}

/** Finds all schemas of the operations' parameters and request bodies, at any depth, except for tainted ones. */
function findRequestSchemas(
  root: OpenApi,
  operations: readonly FoundOperation[],
  tainted: ReadonlySet<string>,
): ReadonlySet<Schema> {
  const schemas = operations.flatMap(({ path, item, operation, pointer }) => {
    const parameterLists = [
      { pointer: toPointer('paths', path, 'parameters'), list: item.parameters },
      { pointer: `${pointer}/parameters`, list: operation.parameters },
    ]
    const parameters = parameterLists.flatMap(({ pointer, list = [] }) => (tainted.has(pointer) ? [] : list))
    const hasBody = operation.requestBody !== undefined && !tainted.has(`${pointer}/requestBody`)
    const body = hasBody
      ? getReferences(root).resolve<RequestBodyObject>(operation.requestBody as RequestBodyObject)
      : undefined
    return [
      ...parameters.map((reference) => readParameter(root, getReferences(root).resolve<ParameterObject>(reference))),
      ...readContent(root, body?.content),
    ].map(({ schema }) => schema)
  })
  return new Set(findSchemas(root, ...schemas))
}

/** Reports keywords that are for responses, and defaults that cannot be filled in. */
function* checkSchema(schema: Schema | boolean, pointer: string, context: Context): Iterable<Problem> {
  if (typeof schema === 'boolean') return
  const { requestSchemas } = context
  // A handler's type has only the listed values, but clients may send others.
  if ('x-extensible-enum' in schema && requestSchemas.has(schema)) {
    const what = 'a request has this "x-extensible-enum", which is for responses'
    yield { pointer: `${pointer}/x-extensible-enum`, message: `${what}; use "enum", in a schema of its own if need be` }
  }
  if ('default' in schema && requestSchemas.has(schema)) yield* checkDefault(schema, `${pointer}/default`, context)
}

/** Reports a default that contains itself, and a default that is not filled in because it is not valid. */
function* checkDefault(schema: Schema, pointer: string, { compile, formats }: Context): Iterable<Problem> {
  if (expandsItself(compile.views, compile.views.get(schema))) {
    yield { pointer, message: 'the default is recursive; remove one of its properties' }
    return
  }
  const validated = compile(schema)(structuredClone(schema.default))
  const [violation] = formatViolations('default', validated)
  if (!('errors' in validated) || violation === undefined) return
  // The types say that this default is filled in: their generator does not have the functions of the app.
  const isMistake = validated.errors.some(
    ({ keyword, params }) => keyword === 'format' && Object.hasOwn(formats, params.format),
  )
  const what = `the default is not valid against its schema${isMistake ? '' : ', so it has no effect'}`
  yield { pointer, message: `${what}: ${violation}; change one of them`, isWarning: !isMistake }
}

/** Reports each format that nothing validates, where it occurs first: a document may have it hundreds of times. */
export function* checkFormats(schemas: ReadonlyMap<string, Schema>, appFormats: Formats = {}): Iterable<Problem> {
  const reportedMessages = new Set<string>()
  for (const [pointer, schema] of schemas) {
    const { format } = schema
    // OpenAPI defines `password` as a hint for user interfaces alone.
    if (format === undefined || isBuiltIn(format) || format === 'password') continue
    const types = getTypes(schema)
    const allowsTexts = types.length === 0 || types.includes('string')
    if (allowsTexts && Object.hasOwn(appFormats, format)) continue
    const advice = allowsTexts ? 'add a function for it to the option formats' : 'use other keywords, such as "maximum"'
    const message = `the format "${format}" is not validated; ${advice}`
    if (reportedMessages.has(message)) continue
    reportedMessages.add(message)
    yield { pointer: `${pointer}/format`, message, isWarning: true }
  }
}

/**
 * True if filling in the default of a view leads back to the view. The properties that a default lacks are filled in by their own
 * defaults: with `Node: { default: {}, properties: { next: Node } }`, the default is `{ next: { next: { next: …`.
 */
function expandsItself({ getDefault }: SchemaViews, rootView: SchemaView): boolean {
  /** `expanded` are the views whose defaults are being filled in. */
  function expands(view: SchemaView, expanded: readonly SchemaView[]): boolean {
    return expanded.includes(view) || containsExpanded(view, getDefault(view), [...expanded, view])
  }

  /** True if filling in the properties that a value lacks, at any depth, leads back to one of the expanded views. */
  function containsExpanded(view: SchemaView, value: unknown, expanded: readonly SchemaView[]): boolean {
    if (Array.isArray(value)) return value.some((item, index) => containsExpanded(view.item(index), item, expanded))
    if (!isObject(value)) return false
    const isInValue = Object.keys(value).some((name) => containsExpanded(view.property(name), value[name], expanded))
    const missing = [...view.propertyNames].filter((name) => !Object.hasOwn(value, name))
    return isInValue || missing.some((name) => expands(view.property(name), expanded))
  }

  return expands(rootView, [])
}

/** Finds the items whose key equals that of an earlier item, each with the earlier item. */
function* findRepeated<Item>(
  items: readonly Item[],
  getKey: (item: Item) => unknown,
): Iterable<[item: Item, earlierItem: Item]> {
  const itemsByKey = new Map<unknown, Item>()
  for (const item of items) {
    const key = getKey(item)
    const earlierItem = itemsByKey.get(key)
    if (earlierItem !== undefined) yield [item, earlierItem]
    itemsByKey.set(key, item)
  }
}
