/** The supported formats of strings and numbers, as ajv-formats has them. */
import { fullFormats } from 'ajv-formats/dist/formats.js'

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

const { int32, float, double, ...others } = fullFormats

/** By name, for Ajv; `int64` is a keyword of its own. */
export const FORMATS = { int32, float, double, ...Object.fromEntries(TEXT_FORMATS.map((name) => [name, others[name]])) }
