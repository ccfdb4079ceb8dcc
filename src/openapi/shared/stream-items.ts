/** The items of streams as a client reads them (OpenAPI 3.2, Sequential Media Types). */
import { parseJson } from './parse-json.ts'

/** Reads the items of a whole stream. Throws a TextError if an item is not JSON. */
export function readItems(mediaType: string, text: string): unknown[] {
  if (mediaType === 'text/event-stream') return readEvents(text)
  const separator = mediaType.endsWith('json-seq') ? '\x1e' : '\n'
  return text
    .split(separator)
    .filter((item) => item.trim() !== '')
    .map((item) => parseJson(Buffer.from(item)))
}

/** Reads events (HTML Standard, section 9.2.6). Clients ignore comments, and an event without the empty line at its end. */
function readEvents(text: string): object[] {
  const blocks = text.replaceAll(/\r\n?/g, '\n').split('\n\n').slice(0, -1)
  return blocks.map(readEvent).filter((event) => Object.keys(event).length > 0)
}

function readEvent(block: string): object {
  const event: Record<string, string | number> = {}
  // A pattern with the flag `m` also ends lines at U+2028, which events may have in a line.
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === '') continue
    if (name === 'data' && event.data !== undefined) event.data += `\n${value}`
    else event[name] = name === 'retry' && /^\d+$/.test(value) ? Number(value) : value
  }
  return event
}
