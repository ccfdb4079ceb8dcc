/** The supported formats, as ajv-formats has them. */
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

const { float, double, ...others } = fullFormats

/** By name, for Ajv, which need not know those of integers. */
export const FORMATS = { float, double, ...Object.fromEntries(TEXT_FORMATS.map((name) => [name, others[name]])) }
