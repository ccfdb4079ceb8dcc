/** The random tests: their seed, and texts for the values that they make up. */
import fc from 'fast-check'

/** The same in every run, unless FC_SEED chooses another one. */
export const seed = Number(process.env.FC_SEED || 20_301_205)

const anyCharacter = fc
  .nat(0x10ffff)
  .map(
    (code) => String.fromCodePoint(code),
    (value) => {
      const text = String(value)
      const code = Number(text.codePointAt(0))
      return String.fromCodePoint(code) === text ? code : Number.NaN
    },
  )
  .filter((character) => character.isWellFormed())

/** Any text without halves of surrogate pairs. fast-check's own unit for it, `binary`, takes seconds to make. */
export function anyText(constraints: fc.StringConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: anyCharacter })
}
