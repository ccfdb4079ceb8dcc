/** Media types, and other field values with parameters: `text/plain; charset=utf-8` (RFC 9110, section 5.6.6). */

/** A type, such as `text/plain` or `form-data`, and the blanks after it. */
const TYPE = /^([^\s;]+)[ \t]*/
/** `; name=token`, `; name="quoted string"`, or a semicolon alone. */
const PARAMETER = /;[ \t]*(?:([!#$%&'*+.^_`|~\w-]+)=(?:([!#$%&'*+.^_`|~\w-]+)|"((?:[^"\\]|\\.)*)")[ \t]*)?/suy
/** The only charset of texts, in any case (RFC 9110, section 8.3.2). */
const UTF_8 = /^utf-8$/i

/**
 * Returns the type and the parameters of a field value, with the type and the names in lower case; undefined if the value is
 * malformed or has a parameter twice.
 */
export function parseParameters(fieldValue: string) {
  const [start = '', type] = TYPE.exec(fieldValue) ?? []
  if (type === undefined) return undefined
  const parameters = new Map<string, string>()
  PARAMETER.lastIndex = start.length
  for (let end = start.length; end < fieldValue.length; end = PARAMETER.lastIndex) {
    const match = PARAMETER.exec(fieldValue)
    if (match === null) return undefined
    const [, name, token, quoted = ''] = match
    if (name === undefined) continue
    if (parameters.has(name.toLowerCase())) return undefined
    // Only `\"` and `\\` are escapes, as senders must write them (section 5.6.4). Browsers send the backslash of `C:\photo.png` as it is.
    parameters.set(name.toLowerCase(), token ?? quoted.replaceAll(/\\(["\\])/g, '$1'))
  }
  return { type: type.toLowerCase(), parameters }
}

/**
 * The text up to an equals sign, which ends with a name, and the value, which may be quoted: in `text/csv; Header="A;B"`, `text/csv; Header`
 * and `="A;B"`.
 */
const NAME_AND_VALUE = /([^=]+)(=(?:"(?:[^"\\]|\\.)*"|[^;]*))?/gs

/**
 * Returns a media type in lower case except for the values of its parameters, whose case may have a meaning. The case of a charset has no
 * meaning (RFC 9110, sections 8.3.1 and 8.3.2).
 */
export function toLowerCaseNames(type: string): string {
  return type.replaceAll(NAME_AND_VALUE, (_match, name: string, value = '') => {
    return name.toLowerCase() + (/[;\s]charset$/i.test(name) ? value.toLowerCase() : value)
  })
}

/** Returns the same text for all spellings of a media type: `Text/CSV; Charset="UTF-8"` and `text/csv;charset=utf-8`. */
export function normalizeMediaType(type: string): string {
  const { type: essence, parameters = [] } = parseParameters(toLowerCaseNames(type)) ?? { type }
  return JSON.stringify([essence, ...[...parameters].sort()])
}

/** True if a media type has another charset than UTF-8. */
export function hasOtherCharset(type: string): boolean {
  return !UTF_8.test(parseParameters(type)?.parameters.get('charset') ?? 'utf-8')
}

/**
 * Creates the function that tells whether a Content-Type has the parameters of a declared media type. Other parameters have no
 * meaning here.
 */
export function createParametersMatcher(declaredType: string): (contentType: string) => boolean {
  const declaredParameters = [...(parseParameters(declaredType)?.parameters ?? [])]
  return (contentType) => {
    const parameters = parseParameters(contentType)?.parameters
    if (parameters === undefined) return false
    return declaredParameters.every(([name, value]) => {
      if (name !== 'charset') return parameters.get(name) === value
      return (parameters.get(name) ?? 'utf-8').toLowerCase() === value.toLowerCase()
    })
  }
}
