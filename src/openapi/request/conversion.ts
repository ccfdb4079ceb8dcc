/**
 * From the values that a request has to those that a handler is given: an int64 is a bigint, any other number a number,
 * and what was left out and has a default is there. JSON Schema knows nothing of either; it only says what is valid.
 */
import type { OpenApi, Schema } from '../model.ts'
import { resolve } from '../references.ts'
import { defaultOf, typesOf } from '../schemas.ts'
import { isNumber } from './numeric.ts'

/** Takes a valid value and gives it as the handler is to have it. Objects and lists are changed in place. */
export type Converter = (value: unknown) => unknown

type Values = Record<string, unknown>

/** Makes the converters of schemas that stand in the document; `validatorOf` is to tell their alternatives apart. */
export function createConverterCompiler(
  root: OpenApi,
  validatorOf: (schema: Schema) => (value: unknown) => boolean,
): (schema: Schema) => Converter {
  const shared = new Map<string, Converter>()

  function converterOf(schema: Schema): Converter {
    if (schema.$ref !== undefined) return referred(schema, schema.$ref)
    const steps = [
      choice(schema.anyOf),
      choice(schema.oneOf),
      ...(schema.allOf ?? []).map(converterOf),
      number(schema),
      list(schema),
      members(schema),
    ].filter((step) => step !== keep)
    if (steps.length === 0) return keep
    return (value) => steps.reduce((converted, step) => step(converted), value)
  }

  function referred(schema: Schema, target: string): Converter {
    const known = shared.get(target)
    if (known !== undefined) return known
    // It may refer to itself.
    let converter: Converter = keep
    shared.set(target, (value) => converter(value))
    converter = converterOf(resolve<Schema>(root, schema))
    shared.set(target, converter)
    return converter
  }

  /** The first alternative for which the value is valid says what it is. */
  function choice(alternatives: readonly Schema[] = []): Converter {
    const options = alternatives.map((schema) => ({ fits: validatorOf(schema), convert: converterOf(schema) }))
    if (options.every(({ convert }) => convert === keep)) return keep
    return (value) => (options.find(({ fits }) => fits(value))?.convert ?? keep)(value)
  }

  function list({ items }: Schema): Converter {
    const convert = items === undefined ? keep : converterOf(items)
    if (convert === keep) return keep
    return (value) => (Array.isArray(value) ? value.map(convert) : value)
  }

  function members({ properties = {}, additionalProperties }: Schema): Converter {
    const declared = Object.entries(properties).map(([name, schema]) => ({
      name,
      convert: converterOf(schema),
      initial: defaultOf(root, schema),
    }))
    const changing = declared.filter(({ convert, initial }) => convert !== keep || initial !== undefined)
    const convertOther = typeof additionalProperties === 'object' ? converterOf(additionalProperties) : keep
    if (changing.length === 0 && convertOther === keep) return keep
    return (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      const object = value as Values
      if (convertOther !== keep) {
        for (const name of Object.keys(object).filter((name) => !Object.hasOwn(properties, name))) {
          object[name] = convertOther(object[name])
        }
      }
      for (const { name, convert, initial } of changing) {
        if (Object.hasOwn(object, name)) object[name] = convert(object[name])
        else if (initial !== undefined) object[name] = convert(structuredClone(initial))
      }
      return object
    }
  }

  return converterOf
}

/** Where there is nothing to do. */
function keep(value: unknown): unknown {
  return value
}

/** Without a format, an integer is never so large that it comes as a bigint. */
function number(schema: Schema): Converter {
  const convert = schema.format === 'int64' ? BigInt : typesOf(schema).includes('number') ? Number : undefined
  if (convert === undefined) return keep
  return (value) => (isNumber(value) ? convert(value) : value)
}
