/**
 * The header fields of a request as they were sent.
 */
import type { IncomingMessage } from 'node:http'

/** The values of a field, by its name in small letters, one for each time it was sent. Of some fields, Node keeps only the first. */
export function fieldValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const other = rawHeaders[index] as string
    if (other.length === name.length && other.toLowerCase() === name) values.push(rawHeaders[index + 1] as string)
  }
  return values
}
