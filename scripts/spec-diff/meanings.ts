/**
 * The meanings of changes for clients, as sentences.
 */
import type { Direction } from './uses.ts'

export const COMPATIBLE = 'What clients send and read now remains valid.'
export const NO_EFFECT = 'Clients need not change.'

/** A sentence for both directions, or one for each. */
export type Meaning = string | Readonly<Record<Direction, string>>

/** Changes of types and constraints. */
export const NARROWER = { request: 'Requests that are valid until now may be refused.', response: '' }
export const WIDER = { request: '', response: 'Responses may have values that clients do not expect.' }
export const OTHER = { request: NARROWER.request, response: WIDER.response }

/** The meaning of redocly's rules, by their names. */
export const meanings: Readonly<Record<string, Meaning>> = {
  'enum-values-added': 'Responses may have values that clients do not know.',
  'enum-values-removed': 'Requests with other values are refused.',
  'media-type-removed': { request: 'Bodies of this type are refused.', response: 'Bodies of this type are not sent.' },
  'operation-id-changed': 'Generated clients name their functions after it, and no longer compile.',
  'parameter-became-required': 'Requests without it are refused.',
  'parameter-removed': 'Requests with it are refused, or it has no effect.',
  'parameter-serialization-changed': 'Values that clients send are read in another way.',
  'property-removed': { request: 'Requests with it are refused.', response: 'Clients that read it no longer find it.' },
  'request-body-became-required': 'Requests without a body are refused.',
  'request-body-removed': 'Requests with a body are refused, or it has no effect.',
  'required-properties-added': 'Requests without them are refused.',
  'required-properties-removed': 'Responses may lack what clients read.',
  'response-header-removed': 'Clients that read it no longer find it.',
  'response-removed': 'Clients that rely on this status no longer get it.',
}
