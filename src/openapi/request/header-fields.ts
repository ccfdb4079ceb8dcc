/**
 * The header fields of a request as they were sent: Node keeps only the first of some fields, and joins others.
 */
import type { IncomingMessage } from 'node:http'

/** Returns the values of a field, one for each time it was sent. `name` is in lower case. */
export function getFieldValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const other = rawHeaders[index] as string
    if (other.length === name.length && other.toLowerCase() === name) values.push(rawHeaders[index + 1] as string)
  }
  return values
}
