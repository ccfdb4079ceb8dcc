/** JSON without loss, independent of the code of the service: an integer that a number would round is a bigint. */

declare global {
  interface JSON {
    /** What stands for itself in a text of JSON (https://tc39.es/proposal-json-parse-with-source). */
    rawJSON(text: string): object
  }
}

/** The value of a JSON text. Throws where it is none. */
export function readJson(text: string): unknown {
  // Numbers round integers of 16 digits and more; to look at each value takes much longer than to parse a text without any.
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source ?? ''
    return typeof value === 'number' && /^-?\d+$/.test(source) && !Number.isSafeInteger(value) ? BigInt(source) : value
  })
}

/** The JSON text of a value, every digit of a bigint kept. */
export function writeJson(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? JSON.rawJSON(String(item)) : item))
}
