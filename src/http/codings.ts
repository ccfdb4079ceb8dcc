/**
 * Content codings (RFC 9110, section 8.4.1), for files that are compressed once and sent many times.
 */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The smallest first. */
const CODINGS = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof CODINGS)[number]

/** Better brotli takes seconds for the docs, and makes them a tenth smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Returns the coding that the client likes best, and of several the smallest (RFC 9110, section 12.5.3). */
export function chooseCoding(accepted = ''): Coding {
  const listed = accepted.toLowerCase().matchAll(/([^\s,;]+)\s*(?:;\s*q=([\d.]+))?/g)
  const weights = new Map(Array.from(listed, ([, name, weight = '1']) => [name, Number(weight)]))
  const weigh = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0
  const codings = CODINGS.filter((coding) => weigh(coding) > 0)
  return codings.toSorted((a, b) => weigh(b) - weigh(a))[0] ?? 'identity'
}

/** Encodes a body. */
export async function encode(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'br') return promisify(brotliCompress)(body, BROTLI)
  return coding === 'gzip' ? promisify(gzip)(body) : body
}
