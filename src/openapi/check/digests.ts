/**
 * Digests of what the generated types depend on, per operation and schema. The generator writes them beside the types;
 * where they differ at start, the handlers were compiled against another spec, or by other rules.
 */
import { hash } from 'node:crypto'
import { type Codecs, NO_CODECS } from '../document/codecs.ts'
import { getKind, type MediaType } from '../document/content.ts'
import type { HeaderObject, OpenApi, Schema } from '../document/model.ts'
import { getRequestSchemas, getResponseSchemas, type Operation } from '../document/operations.ts'
import { getTargetPointer, toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { getReferences } from '../document/references.ts'
import type { Response } from '../document/responses.ts'
import { allowsAnonymous } from '../document/security.ts'
import { findSchemas, mapSubschemas, toSchema } from '../document/subschemas.ts'
import { mapValues, memoize } from '../document/values.ts'
import type { SchemaViews } from '../schema/selection.ts'
import type { SchemaView } from '../schema/view.ts'
import { toCanonicalJson } from '../shared/json.ts'
import { checkGeneratedCodecs } from './codecs.ts'
import type { OpenApiDocument } from './document.ts'

/**
 * The version of the rules by which values are converted for handlers, and get their types. A change of these rules needs
 * another version: handlers that were compiled before expect other values.
 */
const RULES_VERSION = 5

type CheckedDocument = Pick<OpenApiDocument, 'root' | 'operations' | 'sentRequests' | 'compile'>

export type Digests = ReturnType<typeof computeDigests>

/** Computes the digests by operationId, and by the name of the schema, or the reference to it if it is no component. */
export function computeDigests(
  { root, operations: receivedOperations, sentRequests, compile: { views } }: CheckedDocument,
  { parsers, serializers }: Codecs = NO_CODECS,
) {
  const operations = [...receivedOperations, ...sentRequests]
  const digestOperation = createOperationDigest(views)
  const components = root.components?.schemas ?? {}
  const schemas = {
    ...components,
    ...findOtherTargets(root, [
      ...Object.values(components),
      ...operations.flatMap(getRequestSchemas),
      ...operations.flatMap(getResponseSchemas),
    ]),
  }
  return {
    rulesVersion: RULES_VERSION,
    // Only where it is not the default, so that digests without it stay as they are.
    ...(views.int64 === 'number' && { int64: String(views.int64) }),
    ...(parsers.length > 0 && { parsers }),
    ...(serializers.length > 0 && { serializers }),
    operations: Object.fromEntries(operations.map((operation) => [operation.id, digestOperation(operation)])),
    schemas: mapValues(schemas, (schema) => digest(toShape(views, toSchema(schema)))),
  }
}

/** Finds the operations and schemas that differ from what the types were generated from. */
export function checkDigests(document: CheckedDocument, generated: Digests, codecs = NO_CODECS): Problem[] {
  if (generated.rulesVersion !== RULES_VERSION) {
    const message = 'the generated types follow the rules of another version of the OpenAPI layer; generate them again'
    return [{ pointer: '', message }]
  }
  const digests = computeDigests(document)
  if (digests.int64 !== generated.int64) {
    const [made, loaded] = [generated, digests].map(({ int64 = 'bigint' }) => int64)
    const what = `the generated types have int64 as ${made}, and the document is loaded with int64 as ${loaded}`
    const message = `${what}; generate them with --int64 ${loaded}, or set the option int64 of loadDocument to "${made}"`
    return [{ pointer: '', message }]
  }
  const report = (pointer: string, what: string) => {
    return { pointer, message: `the generated types are older than ${what}; generate them again` }
  }
  return [
    ...checkGeneratedCodecs(codecs, { ...NO_CODECS, ...generated }),
    ...[...document.operations, ...document.sentRequests]
      .filter(({ id }) => digests.operations[id] !== generated.operations[id])
      .map(({ id, pointer }) => report(pointer, `the operation "${id}"`)),
    ...Object.keys(digests.schemas)
      .filter((name) => digests.schemas[name] !== generated.schemas[name])
      .map((name) => {
        const pointer = name.startsWith('#/') ? getTargetPointer(name) : toPointer('components', 'schemas', name)
        return report(pointer, `the schema "${name}"`)
      }),
  ]
}

/** Finds the schemas to which references lead that are not those to components, by reference. */
function findOtherTargets(root: OpenApi, schemas: readonly Schema[]): Record<string, Schema> {
  const references = findSchemas(root, ...schemas).flatMap(({ $ref = [] }) => $ref)
  const otherReferences = references.filter(($ref) => !/^#\/components\/schemas\/[^/]+$/.test($ref))
  return Object.fromEntries(otherReferences.map(($ref) => [$ref, getReferences(root).getTarget($ref)]))
}

/** Creates the function that digests the parts of an operation that its types depend on: not the values that the server alone uses. */
function createOperationDigest(views: SchemaViews): (operation: Operation) => string {
  const describeContent = (content: readonly MediaType[]) =>
    content.map(({ type, schema, itemSchema, isStreamed }) => [
      type,
      toShape(views, schema),
      ...(itemSchema === undefined ? [] : [toShape(views, itemSchema)]),
      ...(isStreamed && getKind(type) !== 'form' ? ['stream'] : []),
    ])
  const describeHeader = ({ required, schema }: HeaderObject) => [required === true, toShape(views, schema)]
  // Once for each response, because operations share error responses.
  const digestResponse = memoize(({ content, headers }: Response) => {
    return digest([describeContent(content), mapValues(headers, describeHeader)])
  })
  return ({ parameters, requestBody, responses, deprecation, security }) =>
    digest([
      parameters.map(({ in: location, name, ...parameter }) => [location, name, ...describeHeader(parameter)]),
      requestBody && [requestBody.isRequired, describeContent(requestBody.content)],
      Array.from(responses, ([key, response]) => [key, digestResponse(response)]),
      // The server sends the header of a date in place of the handler.
      deprecation && [deprecation.since !== undefined, deprecation.sunset !== undefined],
      allowsAnonymous(security),
    ])
}

/** Copies a schema without the keywords that no type depends on. */
function toShape(views: SchemaViews, schema: Schema): object {
  const shape = mapSubschemas(schema, (subschema) => toShape(views, subschema))
  const keptEntries = Object.entries(shape).filter(([keyword, value]) => {
    if (keyword === 'format') return /^(u?int64|binary)$/.test(String(value))
    if (keyword === 'minItems') return 'prefixItems' in schema
    // Of the extensions, the types have the values of one.
    if (keyword.startsWith('x-')) return keyword === 'x-extensible-enum'
    return !KEYWORDS_WITHOUT_TYPE.has(keyword)
  })
  // A default has no effect if another schema of the value makes it invalid.
  const mayDecide = 'default' in schema || Object.keys(schema).some((keyword) => COMBINING.test(keyword))
  return { ...Object.fromEntries(keptEntries), ...(mayDecide && getDefaults(views, views.get(schema))) }
}

/** Tells whether a value has a default, and which properties have one. */
function getDefaults(views: SchemaViews, view: SchemaView) {
  const hasDefault = (memberView: SchemaView) => views.getDefault(memberView) !== undefined
  return {
    default: hasDefault(view),
    filledIn: [...view.propertyNames].filter((name) => hasDefault(view.property(name))),
  }
}

/** The keywords by which other schemas describe the same value or property. */
const COMBINING = /^(\$ref|allOf|anyOf|oneOf|then|else|dependentSchemas|patternProperties)$/

/**
 * The keywords that no type depends on, and the keywords that `toShape` reads by itself. If a keyword is missing here, a change of it
 * makes types stale that need not be generated again.
 */
const KEYWORDS_WITHOUT_TYPE: ReadonlySet<string> = new Set(
  `title description deprecated example examples externalDocs xml $comment $schema $defs default discriminator not contains contentSchema
  minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern propertyNames dependentRequired
  maxItems uniqueItems minContains maxContains minProperties maxProperties`.split(/\s+/),
)

function digest(shape: unknown): string {
  return hash('sha256', toCanonicalJson(shape), 'base64url').slice(0, 16)
}
