/** The members of animals in the spec, compared with those that the stores have columns for. */

import type { OpenApiDocument } from 'fastify-openapi-first'
import { findBodyMembers, throwProblems } from 'fastify-openapi-first/tools'
import { petMembers } from '../stores/rows.ts'

const UNNAMED_MEMBERS =
  'an animal to add must have "additionalProperties: false" or "unevaluatedProperties: false", and no patternProperties: ' +
  'each member needs a column; describe its members one by one'

/**
 * Throws a DocumentError if `createPet` accepts a member that has no column: additions with it would be acknowledged, and its
 * value lost. TypeScript reports the same, but a start does not compile the code.
 */
export function checkMembers(document: OpenApiDocument): void {
  const operations = document.operations.filter(({ id }) => id === 'createPet')
  const members = operations.flatMap((operation) => findBodyMembers(document, operation))
  const problems = members
    .filter(({ name }) => name === undefined || !petMembers.includes(name))
    .map(({ name, pointer }) => ({
      pointer,
      message: name === undefined ? UNNAMED_MEMBERS : formatMissingColumn(name),
    }))
  throwProblems(document, problems)
}

function formatMissingColumn(name: string): string {
  const advice =
    'add it to "columns" in src/stores/rows.ts (docs/contributing-changes.md, "Adding a field"), or remove it'
  return `"${name}" has no column in the store; ${advice}`
}
