/**
 * Converts valid values of a request to those that a handler receives: an int64 is a bigint, any other number a number,
 * and defaults are filled in. JSON Schema does neither; it only says what is valid.
 */
import type { OpenApi, Schema } from '../document/model.ts'
import { getDefault, getTypes, resolve } from '../document/references.ts'
import { isNumber, isObject } from '../json.ts'

/**
 * Converts `value`, which other converters may have converted before; `sent` is the valid value as it was sent, by which
 * alternatives are chosen. Objects and arrays are copied.
 */
type Converter = (sent: unknown, value: unknown) => unknown

/** Makes the converters of the document's schemas; `compileValidator` tells their alternatives apart. */
export function createConverterCompiler(
  root: OpenApi,
  compileValidator: (schema: Schema) => (value: unknown) => boolean,
): (schema: Schema) => (value: unknown) => unknown {
  const shared = new Map<string, Converter>()

  function createConverter(schema: Schema): Converter {
    if (schema.$ref !== undefined) return convertReference(schema, schema.$ref)
    const converters = [
      convertChoice(schema.anyOf),
      convertChoice(schema.oneOf),
      ...(schema.allOf ?? []).map(createConverter),
      convertNumber(schema),
      convertItems(schema),
      convertMembers(schema),
    ].filter((convert) => convert !== keep)
    if (converters.length <= 1) return converters[0] ?? keep
    return (sent, value) => converters.reduce((converted, convert) => convert(sent, converted), value)
  }

  function convertReference(schema: Schema, target: string): Converter {
    const known = shared.get(target)
    if (known !== undefined) return known
    // The schema may refer to itself.
    let convert = keep
    shared.set(target, (sent, value) => convert(sent, value))
    convert = createConverter(resolve<Schema>(root, schema))
    shared.set(target, convert)
    return convert
  }

  /** The first alternative for which the value is valid determines the conversion. */
  function convertChoice(alternatives: readonly Schema[] = []): Converter {
    const options = alternatives.map((schema) => [compileValidator(schema), createConverter(schema)] as const)
    if (options.every(([, convert]) => convert === keep)) return keep
    // There is one, because the value is valid.
    return (sent, value) => options.find(([isValid]) => isValid(sent))?.[1](sent, value)
  }

  function convertItems({ items }: Schema): Converter {
    const convert = items === undefined ? keep : createConverter(items)
    if (convert === keep) return keep
    return (sent, value) => {
      if (!Array.isArray(sent) || !Array.isArray(value)) return value
      return sent.map((item, index) => convert(item, value[index]))
    }
  }

  function convertMembers({ properties = {}, additionalProperties }: Schema): Converter {
    const declared = Object.entries(properties)
      .map(([name, schema]) => ({ name, convert: createConverter(schema), initial: getDefault(root, schema) }))
      .filter(({ convert, initial }) => convert !== keep || initial !== undefined)
    const convertOther = typeof additionalProperties === 'object' ? createConverter(additionalProperties) : keep
    if (declared.length === 0 && convertOther === keep) return keep
    return (sent, value) => {
      if (!isObject(sent) || !isObject(value)) return value
      const object: Record<string, unknown> = { ...value }
      for (const { name, convert, initial } of declared) {
        if (Object.hasOwn(sent, name)) object[name] = convert(sent[name], object[name])
        else if (initial !== undefined && !Object.hasOwn(object, name)) {
          object[name] = convert(initial, typeof initial === 'object' ? structuredClone(initial) : initial)
        }
      }
      for (const name of convertOther === keep ? [] : Object.keys(sent)) {
        if (Object.hasOwn(properties, name)) continue
        object[name] = convertOther(sent[name], object[name])
      }
      return object
    }
  }

  return (schema) => {
    const convert = createConverter(schema)
    return (value) => convert(value, value)
  }
}

/** The converter of a schema whose values need no conversion. */
function keep(_sent: unknown, value: unknown): unknown {
  return value
}

/** An integer without a format is never a bigint: it has at most 53 bits. */
function convertNumber(schema: Schema): Converter {
  const convert = schema.format === 'int64' ? BigInt : getTypes(schema).includes('number') ? Number : undefined
  if (convert === undefined) return keep
  return (_sent, value) => (isNumber(value) ? convert(value) : value)
}
