/** The sequential media types (OpenAPI 3.2, Sequential Media Types): how each writes an item of a stream. */
import { getOwn } from '../document/values.ts'
import { isObject } from '../shared/json.ts'

/** Writes an item, which is given as JSON, by the rules of a media type. Throws if the media type has no words for it. */
export type Frame = (json: string) => string

/** Returns the frame of a media type; undefined if it is not a sequence of items. */
export function findFrame(type: string): Frame | undefined {
  const [name = ''] = type.split(/[ \t]*;/)
  if (name === EVENT_STREAM) return frameEvent
  if (/^application\/(jsonl|x-ndjson)$/.test(name)) return (json) => `${json}\n`
  // RFC 7464, section 2.2; RFC 8091 for the suffix.
  return /[/+]json-seq$/.test(name) ? (json) => `\x1e${json}\n` : undefined
}

/** The media type of Server-Sent Events (HTML Standard, section 9.2). */
export const EVENT_STREAM = 'text/event-stream'

/** A comment between events, which clients ignore (HTML Standard, section 9.2.7, on what proxies drop). */
export const EVENT_COMMENT = ':\n'

/** The fields of an event by the values that they can have (HTML Standard, section 9.2.6). */
export const EVENT_FIELDS = {
  event: { type: 'string', pattern: /^[^\r\n]*$/ },
  id: { type: 'string', pattern: /^[^\r\n\0]*$/ },
  // Milliseconds, with as many digits as a number always holds exactly.
  retry: { type: 'integer', pattern: /^\d{1,15}$/ },
  // Any text: each line of it is sent as a field.
  data: { type: 'string', pattern: /^/ },
} as const

/** Writes each field on a line, and each line of a text as a field: clients put the lines of `data` together. */
function frameEvent(json: string): string {
  const event: unknown = JSON.parse(json)
  if (!isObject(event)) throw new Error('invalid response: item must be an object with the fields of an event')
  const lines = Object.entries(event).flatMap(([name, value]) => {
    const field = getOwn(EVENT_FIELDS, name)
    const isOfType = typeof value === (field?.type === 'integer' ? 'number' : 'string')
    const text = String(value)
    // A stream of UTF-8 has no half of a surrogate pair, and would have another character in its place.
    if (!isOfType || !field?.pattern.test(text) || !text.isWellFormed())
      throw new Error(`invalid response: no event has this item.${name}`)
    return text.split(/\r\n|\r|\n/).map((line) => `${name}: ${line}\n`)
  })
  return `${lines.join('')}\n`
}
