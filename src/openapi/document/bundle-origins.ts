/** The origins of the values in a document of several files: where messages say that a value is. */
import type { Target } from './bundle-targets.ts'
import type { ParsedFile } from './parse.ts'
import { getValueAt, parsePointer, toPointer } from './pointers.ts'

/**
 * Creates the record of the values that come from other files than the first one. In a document of
 *
 *     # api.yaml                        # ship.yaml             # paths.yaml
 *     components:                       type: object            ships:
 *       schemas:                        properties: { … }         get: { … }
 *         Ship: { $ref: ship.yaml }
 *     paths:
 *       /ships: { $ref: paths.yaml#/ships, summary: Ships. }
 *
 * the value at `/components/schemas/Ship/type` is in ship.yaml, at `/type` (`addTarget`). The value at `/paths/~1ships/get` is in
 * paths.yaml, at `/ships/get`, and `/paths/~1ships/summary` is in api.yaml (`addPathItem`).
 */
export function createOrigins(firstFile: ParsedFile) {
  const targets = new Map<unknown, Target>()
  const pathItems = new Map<unknown, { readonly target: Target; readonly fieldsBefore: readonly string[] }>()

  return {
    /** Records that a value of the document is a target. */
    addTarget(target: Target): void {
      targets.set(target.value, target)
    },

    /** Records that a path item has the fields of a target, except for those that it had before. */
    addPathItem(item: object, target: Target, fieldsBefore: readonly string[]): void {
      pathItems.set(item, { target, fieldsBefore })
    },

    /** Returns the file of a target; undefined for other values. */
    getFile: (value: unknown): ParsedFile | undefined => targets.get(value)?.file,

    /**
     * Returns the position of the value at a pointer in the document: follows the pointer in the document, and at each value with
     * an origin goes on in the file of the origin.
     */
    locate(pointer: string): string {
      let value = firstFile.value
      let file = firstFile
      let filePointer = ''
      for (const token of parsePointer(pointer)) {
        const origin = pathItems.get(value)
        if (origin?.fieldsBefore.includes(token) === false) ({ file, pointer: filePointer } = origin.target)
        filePointer += toPointer(token)
        value = getValueAt(value, toPointer(token))
        const target = targets.get(value)
        if (target !== undefined) ({ file, pointer: filePointer } = target)
      }
      return file.locate(filePointer)
    },
  }
}
