/** The members of animals in the spec, compared with those that the stores have columns for. */
import {
  getValueAt,
  type OpenApiDocument,
  readOperations,
  type Schema,
  throwProblems,
  toPointer,
} from '../openapi/index.ts'
import { petMembers } from '../stores/rows.ts'

/**
 * Throws a DocumentError if `createPet` accepts a member that has no column: additions with it would be acknowledged, and its
 * value lost. The compiler says the same, but a service may be started without it.
 */
export function checkMembers(document: OpenApiDocument): void {
  const operation = readOperations(document.root).find(({ id }) => id === 'createPet')
  if (operation?.requestBody === undefined) return
  let { schema }: { schema: Schema } = operation.requestBody
  let pointer = operation.pointer + toPointer('requestBody')
  while (schema.$ref !== undefined) {
    pointer = schema.$ref.slice(1)
    schema = getValueAt(document.root, pointer) as Schema
  }
  const { properties = {}, additionalProperties } = schema
  // A schema with "allOf", "anyOf" or "oneOf" has no other keywords.
  if (additionalProperties !== false) {
    const message = 'an animal to add must have "additionalProperties: false", and no "allOf", "anyOf" or "oneOf"'
    const advice = 'each member needs a column; describe its members one by one'
    throwProblems(document, [{ pointer, message: `${message}: ${advice}` }])
  }
  const unknown = Object.keys(properties).filter((name) => !petMembers.includes(name))
  const advice = 'has no column in the store; add one ("Adding a field" in docs/contributing.md), or remove it'
  throwProblems(
    document,
    unknown.map((name) => ({ pointer: pointer + toPointer('properties', name), message: `"${name}" ${advice}` })),
  )
}
