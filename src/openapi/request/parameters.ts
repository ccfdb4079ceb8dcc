/**
 * Reads the parameters in one place of a request: its path, its query or its headers. They arrive as text.
 *
 * Valid parameters take the short way: one pass, and one reader per parameter. All others take the long way, which finds
 * every violation; so do parameters whose values are arrays.
 */
import type { OpenApi, Parameter, Schema, SchemaType } from '../document/model.ts'
import { getDefault, resolve } from '../document/references.ts'
import type { SchemaCompiler, Validator } from '../schema/compiler.ts'
import { formatMember, formatViolation } from '../schema/violations.ts'
import { parseText } from './text.ts'

/** The names and texts of parameters, in the order of the request. */
export type ParameterTexts = readonly (readonly [name: string, text: string])[]

type Values = Record<string, unknown>

/** Returns the values by name, with defaults filled in; adds what is wrong to `violations`. */
export type ParametersReader = (texts: ParameterTexts, violations: string[]) => Values | undefined

/** Makes the reader of the parameters in one place. Undeclared parameters are refused. */
export function createParametersReader(
  root: OpenApi,
  place: Parameter['in'],
  parameters: readonly Parameter[],
  compile: SchemaCompiler,
): ParametersReader {
  const readShort = createShortReader(root, parameters, compile)
  const readAll = createFullReader(root, place, parameters, compile)
  return (texts, violations) => readShort(texts) ?? readAll(texts, violations)
}

/** The schema of the parameters as members of an object. */
export function toObjectSchema(parameters: readonly Parameter[]): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

/** The short way: returns undefined unless all parameters are valid. */
function createShortReader(
  root: OpenApi,
  parameters: readonly Parameter[],
  compile: SchemaCompiler,
): (texts: ParameterTexts) => Values | undefined {
  if (parameters.some(({ schema }) => resolve<Schema>(root, schema).type === 'array')) return () => undefined
  const readers = new Map(
    parameters.map(({ name, schema }) => {
      const type = resolve<Schema>(root, schema).type as SchemaType
      return [name, { type, validate: compile(schema) }]
    }),
  )
  // What follows for a parameter that is left out: its default, or undefined if it is required.
  const omitted = parameters.flatMap(({ name, required = false, schema }) => {
    const initial = getDefault(root, schema)
    return required || initial !== undefined ? [{ name, initial: toValue(compile(schema), initial) }] : []
  })

  return (texts) => {
    const values: Values = {}
    for (const [name, text] of texts) {
      const reader = readers.get(name)
      if (reader === undefined || Object.hasOwn(values, name)) return undefined
      const value = toValue(reader.validate, parseText(text, reader.type))
      if (value === undefined) return undefined
      values[name] = value
    }
    for (const { name, initial } of omitted) {
      if (Object.hasOwn(values, name)) continue
      if (initial === undefined) return undefined
      values[name] = initial
    }
    return values
  }
}

/** The valid, converted value; undefined if it is not valid. */
function toValue(validate: Validator, value: unknown): unknown {
  const result = validate(value)
  return 'value' in result ? result.value : undefined
}

/** The long way. */
function createFullReader(
  root: OpenApi,
  place: Parameter['in'],
  parameters: readonly Parameter[],
  compile: SchemaCompiler,
): ParametersReader {
  const validate = compile(toObjectSchema(parameters))
  const readers = new Map(parameters.map(({ name, schema }) => [name, createTextReader(root, schema)]))
  return (texts, violations) => {
    // Without a prototype, because the client chooses the names.
    const values: Values = Object.create(null)
    for (const [name, pairs] of Map.groupBy(texts, ([name]) => name)) {
      const reader = readers.get(name)
      if (pairs.length > 1 && !reader?.isList) violations.push(`${formatMember(place, name)} is given more than once`)
      values[name] = reader?.read(pairs.map(([, text]) => text))
    }
    const result = validate(values)
    if ('value' in result) return result.value as Values
    for (const error of result.errors) violations.push(formatViolation(place, error))
    return undefined
  }
}

function createTextReader(root: OpenApi, reference: Schema) {
  const schema = resolve<Schema>(root, reference)
  const isList = schema.type === 'array'
  const { type } = isList ? resolve<Schema>(root, schema.items as Schema) : schema
  const read = (text: string) => parseText(text, type as SchemaType)
  return { isList, read: (texts: readonly string[]) => (isList ? texts.map(read) : read(texts[0] as string)) }
}
