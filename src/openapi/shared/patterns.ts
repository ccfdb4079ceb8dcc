/** Regular expressions in documents: the patterns of schemas. */

/** True if a text is a regular expression with this flag. */
export function isRegularExpression(text: string, flag = 'u'): boolean {
  try {
    new RegExp(text, flag)
    return true
  } catch {
    return false
  }
}

/** True if a text can be the pattern of a document. Many patterns escape what needs no escape, which only the flag "u" forbids. */
export function isPattern(text: string): boolean {
  return isRegularExpression(text) || isRegularExpression(text, '')
}

/** Without a limit, because only documents have patterns. */
const patterns = new Map<string, RegExp>()

/** Makes the regular expression of a pattern, with the flag "u" if it can have that (JSON Schema 2020-12, section 6.4). */
export function createPattern(text: string): RegExp {
  const pattern = patterns.get(text) ?? new RegExp(text, isRegularExpression(text) ? 'u' : '')
  patterns.set(text, pattern)
  return pattern
}
