/**
 * Values made up from the schemas of the document, read as it stands: those that are valid, and those that are not, each
 * for one reason.
 */
import fc from 'fast-check'
import type { Schema } from '../helpers/contract.ts'
import { anyText } from '../helpers/random.ts'

/** A value that a schema does not allow. */
export interface Wrong {
  readonly value: unknown
  /** Where the mistake is, as messages name it. */
  readonly place: string
}

/** Values that the schema allows; integers are bigint. */
export function validValues(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...(schema.enum as unknown[]))
  switch (schema.type) {
    case 'integer': {
      const [min, max] = rangeOf(schema)
      return fc.oneof(fc.bigInt({ min, max }), fc.constantFrom(min, max, min + 1n, max - 1n))
    }
    case 'string':
      return validTexts(schema)
    case 'object': {
      const values = Object.entries(propertiesOf(schema)).map(([name, inner]) => [name, validValues(inner)] as const)
      const model: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries(values)
      return fc.record(model, { requiredKeys: schema.required as string[] })
    }
    default:
      throw new Error(`there are no values for the type ${schema.type} yet`)
  }
}

/** Values that the schema does not allow. */
export function wrongValues(schema: Schema, place: string): fc.Arbitrary<Wrong> {
  const otherTypes = fc
    .oneof(
      fc.constant(null),
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Number.isInteger(number)),
      fc.bigInt(),
      anyText(),
      fc.array(fc.constant(1)),
      fc.dictionary(fc.string(), fc.constant(1), { maxKeys: 2 }),
    )
    .filter((value) => typeOf(value) !== schema.type)
  const values: fc.Arbitrary<unknown>[] = [otherTypes]
  if (schema.enum !== undefined) values.push(otherTexts(schema.enum as string[]))
  if (schema.type === 'integer') {
    const [min, max] = rangeOf(schema)
    const distances = fc.oneof(fc.bigInt({ min: 1n, max: 2n ** 70n }), fc.constant(1n))
    values.push(distances.chain((by) => fc.constantFrom(min - by, max + by)))
  }
  const { minLength, maxLength, pattern } = schema
  if (minLength !== undefined) values.push(validTexts({ ...schema, minLength: 0, maxLength: Number(minLength) - 1 }))
  if (maxLength !== undefined) values.push(longerTexts(schema))
  if (pattern !== undefined) {
    const texts = fc.tuple(anyText({ maxLength: 50 }), controlCharacter, fc.string({ maxLength: 50 }))
    values.push(texts.map((parts) => parts.join('')).filter((text) => !matches(text, pattern)))
  }
  const kinds: fc.Arbitrary<Wrong>[] = values.map((each) => each.map((value) => ({ value, place })))
  if (schema.type === 'object') {
    const properties = propertiesOf(schema)
    const valid = validValues(schema) as fc.Arbitrary<Record<string, unknown>>
    for (const [name, inner] of Object.entries(properties)) {
      const member = wrongValues(inner, `${place}.${name}`)
      const pairs = fc.tuple(valid, member)
      kinds.push(pairs.map(([object, { value, place }]) => ({ value: { ...object, [name]: value }, place })))
    }
    for (const name of schema.required as string[]) {
      kinds.push(valid.map(({ [name]: _, ...value }) => ({ value, place: `${place}.${name}` })))
    }
    const names = fc.oneof(anyText(), otherTexts(Object.keys(properties)), inheritedName)
    const unknown = names.filter((name) => !Object.hasOwn(properties, name))
    kinds.push(fc.tuple(valid, unknown).map(([object, name]) => ({ value: { ...object, [name]: 1 }, place })))
  }
  return fc.oneof(...kinds)
}

/** The texts that stand for the values that the schema allows, in a path or a query. */
export function validParameters(schema: Schema): fc.Arbitrary<string> {
  return validValues(schema).map(String)
}

/** Texts that stand for none of the values that the schema allows. */
export function wrongParameters(schema: Schema): fc.Arbitrary<string> {
  if (schema.type === 'integer') return notIntegers(rangeOf(schema))
  return schema.enum === undefined ? longerTexts(schema) : otherTexts(schema.enum as string[])
}

/** JSON in which a value is written in one of the many ways that there are (RFC 8259). */
export function jsonTexts(value: unknown): fc.Arbitrary<string> {
  if (typeof value === 'bigint') return integerTexts(value)
  if (typeof value === 'string') return stringTexts(value)
  const members = fc.shuffledSubarray(Object.entries(value as object), {
    minLength: Object.keys(value as object).length,
  })
  return members
    .chain((entries) => fc.tuple(...entries.flatMap(([name, inner]) => [space, stringTexts(name), jsonTexts(inner)])))
    .map((parts) => Array.from({ length: parts.length / 3 }, (_, index) => parts.slice(index * 3, index * 3 + 3)))
    .map((entries) => `{${entries.map(([gap, name, inner]) => `${gap}${name}${gap}:${gap}${inner}${gap}`)}}`)
}

const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\r', '\n'), maxLength: 2 })

function integerTexts(value: bigint): fc.Arbitrary<string> {
  if (value === 0n) return fc.constantFrom('0', '-0', '0.0', '-0.00', '0e5', '0.0E-5')
  const fraction = fc.nat({ max: 3 }).map((zeros) => (zeros === 0 ? '' : `.${'0'.repeat(zeros)}`))
  const exponent = fc.tuple(fc.nat({ max: 5 }), fc.constantFrom('e', 'E'))
  return fc.oneof(
    fc.constant(String(value)),
    fraction.map((zeros) => `${value}${zeros}`),
    fc.constantFrom(`${value}e0`, `${value}E+0`, `${value}.0e-0`),
    exponent.map(([zeros, sign]) => `${value}${'0'.repeat(zeros)}${sign}-${zeros}`),
  )
}

function stringTexts(value: string): fc.Arbitrary<string> {
  const characters = [...value].map((character) => fc.constantFrom(...waysToWrite(character)))
  return fc.tuple(...characters).map((parts) => `"${parts.join('')}"`)
}

function waysToWrite(character: string): string[] {
  const units = character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const plain = JSON.stringify(character).slice(1, -1)
  return [plain, plain, plain, units.join(''), units.join('').replace(/[a-f]/g, (digit) => digit.toUpperCase())]
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  return schema.properties as Record<string, Schema>
}

/** The least and the greatest integer of the schema; without a format, those that every client's numbers hold exactly. */
function rangeOf({ format, minimum, maximum }: Schema): [bigint, bigint] {
  const [least, most] =
    format === 'int64'
      ? [-(2n ** 63n), 2n ** 63n - 1n]
      : [BigInt(Number.MIN_SAFE_INTEGER), BigInt(Number.MAX_SAFE_INTEGER)]
  return [
    minimum === undefined ? least : BigInt(Number(minimum)),
    maximum === undefined ? most : BigInt(Number(maximum)),
  ]
}

/** Texts of the schema's lengths and pattern, with characters from all over Unicode where the pattern allows them. */
function validTexts({ minLength = 0, maxLength = 100, pattern = '' }: Schema): fc.Arbitrary<string> {
  const lengths = { minLength: Number(minLength), maxLength: Number(maxLength) }
  if (!String(pattern).startsWith('^[^')) {
    if (pattern !== '') return fc.stringMatching(new RegExp(String(pattern)))
    return fc.string({ unit: 'grapheme-ascii', ...lengths })
  }
  const text = (unit: fc.Arbitrary<string>) =>
    fc.string({ unit: unit.filter((one) => matches(one, pattern)), ...lengths })
  return fc.oneof(
    text(anyText({ minLength: 1, maxLength: 1 })),
    text(fc.constantFrom(...'aZ0 _\'"\\/<>&;-é\u0301\u202e\u200b\ufeff\ufffd\uffff😀')),
  )
}

/** Texts that are longer than the schema allows. */
function longerTexts(schema: Schema): fc.Arbitrary<string> {
  const maxLength = Number(schema.maxLength)
  return validTexts({ ...schema, minLength: maxLength + 1, maxLength: maxLength + 50 })
}

const controlCharacter = fc.oneof(
  fc.nat({ max: 0x1f }).map((code) => String.fromCharCode(code)),
  fc.integer({ min: 0x7f, max: 0x9f }).map((code) => String.fromCharCode(code)),
)

/** Names that every object of JavaScript has. */
const inheritedName = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length')

/** Texts that are none of those, among them some that are nearly. */
function otherTexts(texts: readonly string[]): fc.Arbitrary<string> {
  const near = fc
    .tuple(fc.constantFrom(...texts), fc.constantFrom(' ', '\t', '\0', 's', '\u200b', ','))
    .chain(([text, one]) =>
      fc.constantFrom(text + one, one + text, text.toUpperCase(), text.slice(1), text.slice(0, -1)),
    )
  return fc.oneof(near, anyText()).filter((text) => !texts.includes(text))
}

/** Texts that are no integers in decimal digits, and integers out of range. */
function notIntegers([min, max]: readonly [bigint, bigint]): fc.Arbitrary<string> {
  const integer = fc.oneof(fc.bigInt({ min, max }), fc.bigInt({ min: 0n, max: 99n })).map(String)
  const forms = ['+#', ' #', '# ', '#\n', '0#', '#.0', '#.', '#e0', '#n', '0x#', '#,0', '"#"', '--#']
  const notation = integer.chain((text) =>
    fc.constantFrom(
      ...forms.map((form) => form.replace('#', text)),
      text.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(0x660 + Number(digit))),
      text.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
    ),
  )
  const beyond = fc.bigInt({ min: 1n, max: 2n ** 200n }).chain((by) => fc.constantFrom(`${min - by}`, `${max + by}`))
  return fc
    .oneof(notation, beyond, anyText())
    .filter((text) => !/^-?(0|[1-9][0-9]*)$/.test(text) || BigInt(text) < min || BigInt(text) > max)
}

function matches(text: string, pattern: unknown): boolean {
  return new RegExp(String(pattern), 'u').test(text)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'bigint' ? 'integer' : typeof value
}
