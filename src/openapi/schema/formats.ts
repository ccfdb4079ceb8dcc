/**
 * The formats of strings (OpenAPI Format Registry; JSON Schema Validation 2020-12, section 7.3).
 */
import type { Format } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'

/** The supported formats. `password` is a hint for people, and always valid. */
export const TEXT_FORMATS = [
  'byte',
  'date',
  'date-time',
  'duration',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'json-pointer',
  'password',
  'regex',
  'time',
  'uri',
  'uri-reference',
  'uri-template',
  'uuid',
] as const

export type TextFormat = (typeof TEXT_FORMATS)[number]

/** The definitions of the supported formats, for Ajv. */
export const formatDefinitions: Readonly<Record<TextFormat, Format>> = fullFormats

/** True if a text has the format. */
export function hasFormat(text: string, name: TextFormat): boolean {
  const definition = formatDefinitions[name]
  if (definition instanceof RegExp) return definition.test(text)
  const validate = typeof definition === 'object' ? definition.validate : definition
  return typeof validate !== 'function' || validate(text as never) === true
}
