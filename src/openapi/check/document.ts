/**
 * Everything that can be found wrong with a document by itself.
 */
import type { Problem } from '../document.ts'
import type { OpenApi } from '../model.ts'
import { checkOperations } from './operations.ts'
import { checkStructure } from './structure.ts'

/** What keeps the engine from serving the document: what is not valid OpenAPI 3.1, contradictory, or not honoured. */
export function checkDocument(root: OpenApi): Problem[] {
  return [...checkStructure(root), ...checkOperations(root)]
}
