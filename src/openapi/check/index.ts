/**
 * Checks of a document. Each finds all problems of its kind, at JSON pointers into the document.
 */
import type { Problem } from '../document/load.ts'
import type { OpenApi } from '../document/model.ts'
import { checkOperations } from './operations.ts'
import { checkStructure } from './structure.ts'

export { checkErrorBodies, checkImplementation, checkReserved } from './implementation.ts'
export { checkServers } from './servers.ts'

/** Finds everything that is wrong with a document by itself: what is invalid, contradictory or not supported. */
export function checkDocument(root: OpenApi): Problem[] {
  return [...checkStructure(root), ...checkOperations(root)]
}
