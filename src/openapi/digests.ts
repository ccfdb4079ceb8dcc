/**
 * Digests of what the generated types depend on, per operation and schema. `npm run generate` writes them beside the types;
 * where they differ at start, the handlers were compiled against another spec.
 */
import { hash } from 'node:crypto'
import type { Header, OpenApi, Schema } from './document/model.ts'
import { type Content, type Operation, readOperations } from './document/operations.ts'
import type { Problem } from './document/parse.ts'
import { mapSchema, mapValues, toPointer } from './document/references.ts'
import { toCanonicalJson } from './json.ts'

export type Digests = ReturnType<typeof computeDigests>

/** Computes the digests by operationId, and by the name of the schema. */
export function computeDigests(root: OpenApi) {
  return {
    operations: Object.fromEntries(
      readOperations(root).map((operation) => [operation.id, digest(getShape(operation))]),
    ),
    schemas: mapValues(root.components?.schemas ?? {}, (schema) => digest(toShape(schema))),
  }
}

/** Finds the operations and schemas that are not those that the types were generated from. */
export function checkDigests(root: OpenApi, generated: Digests): Problem[] {
  const { operations, schemas } = computeDigests(root)
  const report = (pointer: string, what: string) => {
    return { pointer, message: `generated/ is older than ${what}; run: npm run generate` }
  }
  return [
    ...readOperations(root)
      .filter(({ id }) => operations[id] !== generated.operations[id])
      .map(({ id, pointer }) => report(pointer, `the operation "${id}"`)),
    ...Object.keys(schemas)
      .filter((name) => schemas[name] !== generated.schemas[name])
      .map((name) => report(toPointer('components', 'schemas', name), `the schema "${name}"`)),
  ]
}

/** Returns the parts of an operation that its types depend on: not the values that the server alone uses. */
function getShape({ parameters, requestBody, responses, deprecation, idempotencyTtlSeconds }: Operation): unknown {
  const ofContent = (content: readonly Content[]) => content.map(({ type, schema }) => [type, toShape(schema)])
  const ofHeader = ({ required, schema }: Header) => [required === true, toShape(schema)]
  return [
    parameters.map(({ in: location, name, required, schema }) => [location, name, required === true, toShape(schema)]),
    requestBody && [requestBody.isRequired, ofContent(requestBody.content)],
    [...responses].map(([key, { content, headers }]) => [key, ofContent(content), mapValues(headers, ofHeader)]),
    deprecation !== undefined,
    idempotencyTtlSeconds !== undefined,
  ]
}

/** A schema without the keywords that no type depends on: limits, values of defaults, prose. */
function toShape(schema: Schema): unknown {
  return mapSchema(schema, (inner) => {
    const kept = Object.entries(inner).filter(
      ([keyword, value]) =>
        OF_TYPES.test(keyword) ||
        (keyword === 'format' && value === 'int64') ||
        (keyword === 'minItems' && 'prefixItems' in inner),
    )
    return { ...Object.fromEntries(kept), ...('default' in inner && { default: true }) }
  })
}

const OF_TYPES =
  /^(\$ref|type|enum|const|(prefixI|i)tems|(patternP|p)roperties|required|additionalProperties|(all|any|one)Of|(read|write)Only|x-extensible-enum)$/

function digest(shape: unknown): string {
  return hash('sha256', toCanonicalJson(shape), 'base64url').slice(0, 16)
}
