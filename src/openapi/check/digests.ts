/**
 * Digests of what the generated types depend on, per operation and schema. The generator writes them beside the types;
 * where they differ at start, the handlers were compiled against another spec, or by other rules.
 */
import { hash } from 'node:crypto'
import { type Codecs, NO_CODECS } from '../document/codecs.ts'
import { getKind, type MediaType } from '../document/content.ts'
import type { HeaderObject } from '../document/model.ts'
import type { Operation } from '../document/operations.ts'
import { getTargetPointer, toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { getReferences } from '../document/references.ts'
import type { Response } from '../document/responses.ts'
import { allowsAnonymous } from '../document/security.ts'
import { toSchema } from '../document/subschemas.ts'
import { mapValues, memoize } from '../document/values.ts'
import { toCanonicalJson } from '../shared/json.ts'
import { checkGeneratedCodecs } from './codecs.ts'
import type { OpenApiDocument } from './document.ts'
import { createToShape } from './type-shapes.ts'

/**
 * The version of the rules by which values are converted for handlers, and get their types, and of the digests. A change of these rules
 * needs another version: handlers that were compiled before expect other values.
 */
const RULES_VERSION = 7

type CheckedDocument = Pick<OpenApiDocument, 'root' | 'operations' | 'sentRequests' | 'compile'>

export type Digests = ReturnType<typeof computeDigests>

/** Computes the digests by operationId, and by the name of the schema, or the reference to it if it is no component. */
export function computeDigests(
  { root, operations, sentRequests, compile: { views } }: CheckedDocument,
  { parsers, serializers }: Codecs = NO_CODECS,
) {
  const otherReferences = new Set<string>()
  const toShape = createToShape(views, ($ref) => {
    if (!/^#\/components\/schemas\/[^/]+$/.test($ref)) otherReferences.add($ref)
  })
  const digestOperation = createOperationDigest(toShape)
  const operationDigests = [...operations, ...sentRequests].map((operation) => [
    operation.id,
    digestOperation(operation),
  ])
  const schemas = mapValues(root.components?.schemas ?? {}, (schema) => digest(toShape(toSchema(schema))))
  // The iteration includes the references that are added during it.
  for (const $ref of otherReferences) schemas[$ref] = digest(toShape(toSchema(getReferences(root).getTarget($ref))))
  return {
    rulesVersion: RULES_VERSION,
    // Only where they are not the default, so that other digests stay as they are.
    ...(views.int64 === 'number' && { int64: String(views.int64) }),
    ...(parsers.length > 0 && { parsers }),
    ...(serializers.length > 0 && { serializers }),
    operations: Object.fromEntries(operationDigests) as Record<string, string>,
    schemas,
  }
}

/** Creates the function that digests the parts of an operation that its types depend on: not the values that the server alone uses. */
function createOperationDigest(toShape: ReturnType<typeof createToShape>): (operation: Operation) => string {
  const describeContent = (content: readonly MediaType[]) =>
    content.map(({ type, schema, itemSchema, isStreamed }) => [
      type,
      toShape(schema),
      ...(itemSchema === undefined ? [] : [toShape(itemSchema)]),
      ...(isStreamed && getKind(type) !== 'form' ? ['stream'] : []),
    ])
  // Once for each header and response, because operations share error responses, and responses share headers.
  const digestHeader = memoize(({ required, schema }: HeaderObject) => digest([required === true, toShape(schema)]))
  const digestResponse = memoize(({ content, headers }: Response) => {
    return digest([describeContent(content), mapValues(headers, digestHeader)])
  })
  return ({ parameters, requestBody, responses, isConditional, deprecation, security }) =>
    digest([
      parameters.map((parameter) => [parameter.in, parameter.name, digestHeader(parameter)]),
      requestBody && [requestBody.isRequired, describeContent(requestBody.content)],
      Array.from(responses, ([key, response]) => [key, digestResponse(response)]),
      // The server evaluates `If-None-Match` and sends 304 in place of the handler.
      isConditional,
      // The server sends the header of a date in place of the handler.
      deprecation && [deprecation.since !== undefined, deprecation.sunset !== undefined],
      allowsAnonymous(security),
    ])
}

function digest(value: unknown): string {
  return hash('sha256', toCanonicalJson(value), 'base64url').slice(0, 16)
}

/** Finds the operations and schemas that differ from what the types were generated from. */
export function checkDigests(document: CheckedDocument, generated: Digests, codecs = NO_CODECS): Problem[] {
  if (generated.rulesVersion !== RULES_VERSION) {
    const message = 'the generated types follow the rules of another version of the OpenAPI layer; generate them again'
    return [{ pointer: '', message }]
  }
  // Without codecs: `checkGeneratedCodecs` compares them.
  const digests = computeDigests(document)
  if (digests.int64 !== generated.int64) return [describeOtherInt64(generated, digests)]
  const toProblem = (pointer: string, what: string) => {
    return { pointer, message: `the generated types are older than ${what}; generate them again` }
  }
  return [
    ...checkGeneratedCodecs(codecs, { ...NO_CODECS, ...generated }),
    ...[...document.operations, ...document.sentRequests]
      .filter(({ id }) => digests.operations[id] !== generated.operations[id])
      .map(({ id, pointer }) => toProblem(pointer, `the operation "${id}"`)),
    ...Object.keys(digests.schemas)
      .filter((name) => digests.schemas[name] !== generated.schemas[name])
      .map((name) => {
        const pointer = name.startsWith('#/') ? getTargetPointer(name) : toPointer('components', 'schemas', name)
        return toProblem(pointer, `the schema "${name}"`)
      }),
  ]
}

function describeOtherInt64(generated: Digests, loaded: Digests): Problem {
  const [generatedType, loadedType] = [generated, loaded].map(({ int64 = 'bigint' }) => int64)
  const what = `the generated types have int64 as ${generatedType}, and the document is loaded with int64 as ${loadedType}`
  const advice = `generate them with --int64 ${loadedType}, or set the option int64 of loadDocument to "${generatedType}"`
  return { pointer: '', message: `${what}; ${advice}` }
}
