/**
 * The headers of responses: those that the spec fixes, and those that the server sends by itself. All others are for the
 * handler to return.
 */
import type { Header } from '../document/model.ts'
import type { Response } from '../document/operations.ts'

export type HeaderValues = Readonly<Record<string, string>>

/** Returns the headers for which the spec allows only one value. */
export function getConstantHeaders({ headers }: Response): HeaderValues {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, header]) => {
      const value = getConstant(header)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Returns the headers that the spec fixes to the same value in all of these responses. */
export function getSharedHeaders(responses: readonly Response[]): HeaderValues {
  const [first = {}, ...others] = responses.map(getConstantHeaders)
  const isShared = (name: string) => others.every((headers) => headers[name] === first[name])
  return Object.fromEntries(Object.entries(first).filter(([name]) => isShared(name)))
}

/** True if the server sends a header, and a handler cannot. */
export function isServerHeader(name: string, header: Header): boolean {
  return SERVER_HEADERS.test(name) || getConstant(header) !== undefined
}

/** True if the server sends a header in some responses, so that a handler need not return it. */
export function isOptionalHeader(name: string, { required }: Header, isDeprecated: boolean): boolean {
  return required !== true || OCCASIONAL_HEADERS.test(name) || (isDeprecated && /^link$/i.test(name))
}

const SERVER_HEADERS = /^(deprecation|sunset|ratelimit|ratelimit-policy|x-request-id)$/i
const OCCASIONAL_HEADERS = /^(www-authenticate|retry-after)$/i

function getConstant({ schema }: Header): string | undefined {
  const { const: constant, enum: values = [constant] } = schema
  return values.length === 1 && values[0] !== undefined ? String(values[0]) : undefined
}
