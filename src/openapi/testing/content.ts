/** The bodies of responses as a client reads them: media types, JSON with exact integers, and items of streams. */
import { MIMEType } from 'node:util'
import { toPattern } from '../document/content.ts'

/** Parses a media type or range. Returns undefined for other texts. */
export function parseMediaType(text = ''): MIMEType | undefined {
  try {
    return new MIMEType(text)
  } catch {
    return undefined
  }
}

/**
 * Finds the most specific range that includes a media type (OpenAPI 3.1, Response Object). The parameters of the range must be
 * equal; others are ignored.
 */
export function findRange(ranges: readonly string[], type: MIMEType): string | undefined {
  const includesType = ({ essence, params }: MIMEType) =>
    toPattern(essence).test(type.essence) &&
    [...params].every(([name, value]) => isEqualValue(name, value, type.params.get(name) ?? ''))
  const candidates = ranges.flatMap((range) => {
    const parsed = parseMediaType(range)
    if (parsed === undefined || !includesType(parsed)) return []
    return { range, literals: parsed.essence.replaceAll('*', '').length, parameters: [...parsed.params].length }
  })
  candidates.sort((left, right) => right.literals - left.literals || right.parameters - left.parameters)
  return candidates[0]?.range
}

/** The case of a value may have a meaning; that of a charset has none (RFC 9110, section 8.3.2). */
function isEqualValue(name: string, left: string, right: string): boolean {
  return name === 'charset' ? left.toLowerCase() === right.toLowerCase() : left === right
}

export function isJson({ subtype }: MIMEType): boolean {
  return /^(.*\+)?json$/.test(subtype)
}

/** Reads JSON. An integer that a number would round becomes a bigint. Throws a SyntaxError if the text is not JSON. */
export function readJson(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) => {
    const { source = '' } = context ?? {}
    const isRounded = typeof value === 'number' && /^-?\d+$/.test(source) && !Number.isSafeInteger(value)
    return isRounded ? BigInt(source) : value
  })
}

/** Reads a text as a number or boolean if its schema has that type. */
export function readScalar(text: string, types: readonly string[]): unknown {
  const isScalar =
    (types.includes('boolean') && /^(true|false)$/.test(text)) ||
    (types.includes('integer') && /^-?(0|[1-9]\d*)$/.test(text)) ||
    (types.includes('number') && /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text))
  return isScalar ? readJson(text) : text
}

/** Reads the items of a stream (OpenAPI 3.2, Sequential Media Types). Throws a SyntaxError if an item is not JSON. */
export function readItems({ essence }: MIMEType, text: string): unknown[] {
  if (essence === 'text/event-stream') return readEvents(text)
  const separator = essence.endsWith('json-seq') ? '\x1e' : '\n'
  return text
    .split(separator)
    .filter((item) => item.trim() !== '')
    .map(readJson)
}

/** Reads events (HTML Standard, section 9.2.6). Clients ignore comments, and an event without the empty line at its end. */
function readEvents(text: string): object[] {
  const blocks = text.replaceAll(/\r\n?/g, '\n').split('\n\n').slice(0, -1)
  return blocks.map(readEvent).filter((event) => Object.keys(event).length > 0)
}

function readEvent(block: string): object {
  const event: Record<string, string | number> = {}
  for (const [, name = '', value = ''] of block.matchAll(/^([^:\n]+)(?:: ?(.*))?$/gm)) {
    if (name === 'data' && event.data !== undefined) event.data += `\n${value}`
    else event[name] = name === 'retry' && /^\d+$/.test(value) ? Number(value) : value
  }
  return event
}
