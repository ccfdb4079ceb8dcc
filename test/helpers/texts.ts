/** Texts for the tests that make up their values. */
import fc from 'fast-check'

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

/** Any text without halves of surrogate pairs. fast-check's own unit for it, `binary`, takes a second to make. */
export function anyText(constraints: fc.StringConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: anyCharacter })
}
