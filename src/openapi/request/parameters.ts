/** Reads the parameters in one location of a request: its path, its query or its headers. They arrive as text. */
import type { OpenApi, Parameter, Schema, SchemaType } from '../document/model.ts'
import { getDefault, resolve } from '../document/references.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { formatMember, formatUndeclared, formatViolations, MAX_LISTED } from '../schema/violations.ts'
import { parseText } from './text.ts'

/** The names and texts of parameters, in the order of the request. */
export type ParameterTexts = readonly (readonly [name: string, text: string])[]

type Values = Record<string, unknown>

/** Returns the values by name, with defaults filled in; adds what is wrong to `violations`. */
export type ParametersReader = (texts: ParameterTexts, violations: string[]) => Values

/** Makes the reader of the parameters in one location. Undeclared parameters are refused. */
export function createParametersReader(
  root: OpenApi,
  location: Parameter['in'],
  parameters: readonly Parameter[],
  compile: SchemaCompiler,
): ParametersReader {
  const declared = parameters.map((parameter) => readDeclaration(root, location, parameter, compile))
  const byName = new Map(declared.map((each) => [each.name, each]))
  const names = [...byName.keys()]

  return (texts, violations) => {
    const values: Values = {}
    const undeclared: string[] = []
    for (const [name, text] of texts) {
      const parameter = byName.get(name)
      if (parameter === undefined) undeclared.push(name)
      else if (!Object.hasOwn(values, name)) values[name] = parameter.read(text)
      else if (parameter.isList) (values[name] as unknown[]).push(...(parameter.read(text) as unknown[]))
      else violations.push(`${parameter.place} is given more than once`)
    }
    const invalid: string[] = []
    for (const { name, place, isList, isRequired, initial, validate } of declared) {
      if (Object.hasOwn(values, name)) {
        const result = validate(values[name])
        if ('value' in result) values[name] = result.value
        else invalid.push(...formatViolations(place, result))
      } else if (isRequired) {
        violations.push(`${place} is required`)
      } else if (initial !== undefined) {
        values[name] = isList ? structuredClone(initial) : initial
      }
    }
    for (const name of undeclared.length === 0 ? [] : new Set(undeclared).values().take(MAX_LISTED + 1)) {
      violations.push(formatUndeclared(location, name, names))
    }
    violations.push(...invalid)
    return values
  }
}

/** Prepares the reading of a parameter; `initial` is the value of one that is left out. */
function readDeclaration(root: OpenApi, location: string, parameter: Parameter, compile: SchemaCompiler) {
  const { name, required: isRequired = false, schema: reference } = parameter
  const schema = resolve<Schema>(root, reference)
  const isList = schema.type === 'array'
  const type = (isList ? resolve<Schema>(root, schema.items as Schema) : schema).type as SchemaType
  const read = (text: string) => (isList ? [parseText(text, type)] : parseText(text, type))
  const validate = compile(reference)
  const initial = getDefault(root, reference)
  const result = initial === undefined ? {} : validate(initial)
  return {
    name,
    place: formatMember(location, name),
    isList,
    read,
    validate,
    isRequired,
    initial: 'value' in result ? result.value : undefined,
  }
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
