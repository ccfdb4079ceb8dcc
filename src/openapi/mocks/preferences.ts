/** The header `Prefer` (RFC 7240). */

/** A preference of a client. */
export interface Preference {
  readonly value: string
  /** The preference as `Preference-Applied` repeats it: `code=404`. */
  readonly text: string
}

/**
 * Parses a field value such as `code=404, example="two words"; a=b`. Returns the preferences with a value, by names in lower
 * case. Of two with one name, the first counts (RFC 7240, section 2).
 */
export function parsePreferences(fieldValue = ''): ReadonlyMap<string, Preference> {
  const preferences = new Map<string, Preference>()
  // A comma within quotes separates nothing.
  for (const [element] of fieldValue.matchAll(/(?:[^,"]|"[^"]*")+/g)) {
    const [, name = '', word = ''] = /^\s*([^\s=;]+)\s*=\s*("[^"]*"|[^\s;"]+)/.exec(element) ?? []
    const key = name.toLowerCase()
    if (word !== '' && !preferences.has(key)) {
      preferences.set(key, { value: word.replaceAll('"', ''), text: `${key}=${word}` })
    }
  }
  return preferences
}
