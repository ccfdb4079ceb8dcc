/**
 * The digests of specs that tests make.
 */
import { checkDocument, computeDigests, type Digests, type OpenApiDocument } from '../../src/openapi/index.ts'

/** As if the types had been generated from a document. One with mistakes has none, and is refused for those. */
export function digestsOf({ root }: OpenApiDocument): Digests {
  return checkDocument(root).length > 0 ? { operations: {}, schemas: {} } : computeDigests(root)
}
