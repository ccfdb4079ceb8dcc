/** The members of animals in the spec, compared with those that the stores have columns for. */

import type { OpenApiDocument } from 'fastify-openapi-first'
import {
  getTargetPointer,
  getValueAt,
  type Problem,
  throwProblems,
  toObject,
  toPointer,
} from 'fastify-openapi-first/tools'
import { petMembers } from '../stores/rows.ts'

const columnAdvice = 'add it to "columns" in src/stores/rows.ts (docs/contributing.md, "Adding a field")'
/** The keywords by which a schema may allow members that its `properties` do not name. */
const UNNAMED_MEMBERS = ['patternProperties', 'allOf', 'anyOf', 'oneOf']

/**
 * Throws a DocumentError if `createPet` accepts a member that has no column: additions with it would be acknowledged, and its
 * value lost. TypeScript reports the same, but a start does not compile the code.
 */
export function checkMembers(document: OpenApiDocument): void {
  const { root } = document

  /** Finds the problems of a Request Body Object, a Media Type Object or a Schema Object. */
  function findProblems(pointer: string): Problem[] {
    const { $ref, content, schema, ...keywords } = toObject(getValueAt(root, pointer))
    if (typeof $ref === 'string') return findProblems(getTargetPointer($ref))
    if (schema !== undefined) return findProblems(`${pointer}/schema`)
    if (content !== undefined) {
      return Object.keys(toObject(content)).flatMap((type) => findProblems(pointer + toPointer('content', type)))
    }
    if (keywords.additionalProperties !== false || UNNAMED_MEMBERS.some((keyword) => keyword in keywords)) {
      const what = `an animal to add must have "additionalProperties: false", and no ${UNNAMED_MEMBERS.join(', ')}`
      return [{ pointer, message: `${what}: each member needs a column; describe its members one by one` }]
    }
    return Object.keys(toObject(keywords.properties))
      .filter((name) => !petMembers.includes(name))
      .map((name) => ({
        pointer: pointer + toPointer('properties', name),
        message: `"${name}" has no column in the store; ${columnAdvice}, or remove it`,
      }))
  }

  const operations = document.operations.filter(({ id }) => id === 'createPet')
  throwProblems(
    document,
    operations.flatMap(({ pointer }) => findProblems(pointer + toPointer('requestBody'))),
  )
}
