/** Writes the values of parameters as texts, by location and style (OpenAPI 3.1, Parameter Object). */
import type { Parameter } from '../document/parameters.ts'
import { SEPARATORS } from '../request/styles.ts'

/** The longest parameter of a path, in characters, that Fastify accepts without the option `maxParamLength`. */
const MAX_PARAM_LENGTH = 100

/** True for a scalar or a list of scalars that can stand in the place of a parameter; `path` is the path of its operation. */
export function canSend({ in: location, name }: Parameter, path: string, value: unknown): boolean {
  const items = [value].flat()
  if (items.length === 0 || items.some((item) => typeof item === 'object')) return false
  const texts = items.map(String)
  if (location === 'header') return texts.every((text) => /^[!-~]([ -~]*[!-~])?$/.test(text))
  if (location === 'cookie') return texts.every((text) => /^[\w.~-]+$/.test(text))
  if (location === 'query') return true
  const text = texts.join()
  const segment = path.split('/').find((template) => template.includes(`{${name}}`)) ?? ''
  const separators = segment.split(/\{[^{}]*\}/).filter((separator) => separator !== '')
  // URLs have no segments "." and "..".
  const isSegment = !/^\.{0,2}$/.test(text) && text.length <= MAX_PARAM_LENGTH
  return isSegment && !separators.some((separator) => text.includes(separator))
}

/** Writes a value that can be sent: one text, or one for each item. In a URL or cookie, the texts are encoded. */
export function writeTexts({ in: location, style, explode }: Parameter, value: unknown): string[] {
  const texts = [value].flat().map(String)
  if (location === 'header') return [texts.join()]
  const encodedTexts = texts.map(encodeURIComponent)
  return location === 'query' && explode ? encodedTexts : [encodedTexts.join(SEPARATORS[style] ?? ',')]
}
