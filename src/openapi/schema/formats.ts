/** The supported formats, as ajv-formats has them. */
import formats from 'ajv-formats'

/** Those of strings. `password` is a hint for people. */
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

/** By name, for Ajv, which need not know those of integers. */
export const FORMATS = Object.fromEntries(
  [...TEXT_FORMATS, 'float' as const, 'double' as const].map((name) => [name, formats.default.get(name)]),
)
