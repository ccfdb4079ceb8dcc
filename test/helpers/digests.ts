/**
 * The digests of specs that tests make.
 */
import { checkDocument, computeDigests, type Digests, type OpenApiDocument } from '../../src/openapi/index.ts'

/** The digests that have been computed: the check of a spec takes longer than the rest of a start. */
const digests = new WeakMap<OpenApiDocument, Digests>()

/** As if the types had been generated from a document. One with mistakes has none, and is refused for those. */
export function digestsOf(document: OpenApiDocument): Digests {
  const { root } = document
  const known =
    digests.get(document) ??
    (checkDocument(root).problems.length > 0 ? { operations: {}, schemas: {} } : computeDigests(root))
  digests.set(document, known)
  return known
}
