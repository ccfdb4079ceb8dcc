/** The values of JSON: their types, equality and texts. Integers that a number does not hold exactly are bigint. */

declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes as this text (https://tc39.es/proposal-json-parse-with-source). */
    rawJSON(text: string): object
  }
}

/** The types of JSON Schema (JSON Schema 2020-12, section 4.2.1 and "integer" of Validation, section 6.1.1). */
export type SchemaType = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'integer' | 'string'

/** The type of a value of JSON; of any number, `number`. */
export function getType(value: unknown): SchemaType {
  if (value === null) return 'null'
  if (isNumber(value)) return 'number'
  return Array.isArray(value) ? 'array' : (typeof value as SchemaType)
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns the names of an object's members, without omitted members, and without undefined ones, which handlers may return and which
 * are not sent.
 */
export function getMemberNames(
  object: Readonly<Record<string, unknown>>,
  omittedNames: readonly string[] = [],
): readonly string[] {
  return Object.keys(object).filter((name) => object[name] !== undefined && !omittedNames.includes(name))
}

export type Numeric = number | bigint

export function isNumber(value: unknown): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** Sets a member of an object; an assignment to `__proto__` would set the prototype. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else Object.defineProperty(object, name, { configurable: true, enumerable: true, writable: true, value })
}

/** Integers with more digits stay numbers: arithmetic on long bigints is slow. Those of 64 bits have up to 19 digits. */
export const MAX_DIGITS = 40
const LIMIT = 10n ** BigInt(MAX_DIGITS)

/** Returns an integer as a bigint if a number does not hold it exactly, unless it has more than 40 digits; else as a number. */
export function toNumeric(integer: bigint): Numeric {
  const value = Number(integer)
  return Number.isSafeInteger(value) || integer >= LIMIT || integer <= -LIMIT ? value : integer
}

/**
 * True if a value has more levels of arrays and objects, or more arrays and objects, than the limits. Each occurrence of an object counts,
 * so a value that contains itself is larger than any limit.
 */
export function isLargerThan(value: unknown, maxDepth: number, maxCount: number): boolean {
  let level = [value].filter(isArrayOrObject)
  let count = level.length
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    const nextLevel: object[] = []
    for (const member of level.values().flatMap((inner) => Object.values(inner))) {
      if (!isArrayOrObject(member)) continue
      if (++count > maxCount) return true
      nextLevel.push(member)
    }
    level = nextLevel
  }
  return false
}

function isArrayOrObject(value: unknown): value is object {
  // Views of bytes have a member for each byte.
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
}

/** Writes like `JSON.stringify`, and a bigint with all its digits: the inverse of `parseJson`. */
export function stringifyExactly(value: unknown, indent = 0): string {
  return JSON.stringify(value, (_name, inner) => keepDigits(inner), indent)
}

/** The JSON text of a value, with members in the order of their names: equal values have equal texts. */
export function toCanonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'string' ? JSON.stringify(value) : String(normalizeInteger(value))
  }
  const isArray = Array.isArray(value)
  let items = ''
  if (isArray) for (const item of value) items += `,${toCanonicalJson(item ?? null)}`
  else {
    for (const name of Object.keys(value).sort()) {
      const member = (value as Readonly<Record<string, unknown>>)[name]
      if (member !== undefined) items += `,${JSON.stringify(name)}:${toCanonicalJson(member)}`
    }
  }
  return isArray ? `[${items.slice(1)}]` : `{${items.slice(1)}}`
}

/** Returns the number or bigint that `parseJson` returns for an integer; any other value unchanged. */
function normalizeInteger(value: unknown): unknown {
  const isLong = typeof value === 'bigint' || (Number.isInteger(value) && !Number.isSafeInteger(value))
  return isLong ? toNumeric(BigInt(value as Numeric)) : value
}

/**
 * Returns the key of a value in a Set or Map: equal values have the same key (JSON Schema 2020-12, section 4.2.2). A file is
 * equal to itself alone.
 */
export function toKey(value: unknown): unknown {
  // The text of an array or object begins with a bracket or brace.
  if (typeof value === 'string') return `"${value}`
  return typeof value !== 'object' || value === null || value instanceof File
    ? normalizeInteger(value)
    : toCanonicalJson(value)
}

/** Returns a value that `JSON.stringify` writes with all digits for a bigint, and any other value as it is. */
export function keepDigits(value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(String(value))
}
