/**
 * Generates the code of the validators that the service needs for a document.
 */
import standalone from 'ajv/dist/standalone/index.js'
import {
  createAjv,
  formatSchemaKey,
  mapSchema,
  type OpenApi,
  type Operation,
  readOperations,
  type Schema,
  toAjvReference,
  toAjvSchema,
} from '../../src/openapi/index.ts'

/** Generates a module that makes the validators by the keys of their schemas: `CreateValidators` in src/openapi/schema. */
export function generateValidators(root: OpenApi): string {
  const ajv = createAjv(root, { source: true, lines: true })
  const references: Record<string, string> = {}
  for (const schema of findSchemas(root)) {
    const key = formatSchemaKey(schema)
    if (Object.hasOwn(references, key)) continue
    const reference = toAjvReference(schema.$ref ?? `#/inline/${Object.keys(references).length}`)
    if (schema.$ref === undefined) ajv.addSchema(toAjvSchema(schema), reference)
    references[key] = reference
  }
  return `export default (require) => {\nconst exports = {}\n${standalone.default(ajv, references)}\nreturn exports\n}\n`
}

/** Finds the schemas that requests, and responses with their headers, are validated by. */
function findSchemas(root: OpenApi): Schema[] {
  const found = readOperations(root).flatMap(getSchemas)
  // A converter tells the alternatives apart.
  const alternatives: Schema[] = []
  for (const schema of [...Object.values(root.components?.schemas ?? {}), ...found]) {
    mapSchema(schema, (inner) => {
      alternatives.push(...(inner.anyOf ?? []), ...(inner.oneOf ?? []))
      return inner
    })
  }
  return [...found, ...alternatives]
}

function getSchemas({ parameters, requestBody, responses }: Operation): Schema[] {
  return [
    ...parameters.map(({ schema }) => schema),
    ...(requestBody === undefined ? [] : [requestBody.schema]),
    ...[...responses.values()].flatMap(({ body, headers }) => [
      ...(body === undefined ? [] : [body]),
      ...Object.values(headers).map(({ schema }) => schema),
    ]),
  ]
}
