/** Checks the media types that a body may have (OpenAPI 3.1, Request Body Object, Response Object). */
import { normalizeMediaType } from '../document/media-type.ts'
import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { findRepeated } from '../document/values.ts'

/** Reports media types that differ only in their spelling, such as the case of letters (RFC 9110, section 8.3.1). */
export function* checkContent(content: object, pointer: string): Iterable<Problem> {
  for (const [type, earlierType] of findRepeated(Object.keys(content), normalizeMediaType)) {
    const message = `the media type "${type}" is declared as "${earlierType}", too; remove one of them`
    yield { pointer: pointer + toPointer(type), message }
  }
}
