/** Checks maps whose names have several spellings: media types, and headers (RFC 9110, sections 8.3.1 and 5.1). */
import { normalizeMediaType } from '../document/media-type.ts'
import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { findRepeated } from '../document/values.ts'

export const checkContent = createNameCheck('media type', normalizeMediaType)
export const checkHeaders = createNameCheck('header', (name) => name.toLowerCase())

/** Creates the function that reports names which differ only in their spelling. */
function createNameCheck(what: string, normalize: (name: string) => string) {
  return function* checkNames(map: object, pointer: string): Iterable<Problem> {
    for (const [name, earlierName] of findRepeated(Object.keys(map), normalize)) {
      const message = `the ${what} "${name}" is declared as "${earlierName}", too; remove one of them`
      yield { pointer: pointer + toPointer(name), message }
    }
  }
}
