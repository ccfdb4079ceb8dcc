/**
 * From response schemas to functions that write bodies as JSON: every int64 with all its digits, every object with the
 * members that the schema declares, and nothing that is of another type.
 */
import type { OpenApi, Schema, SchemaType } from '../model.ts'
import { resolve } from '../references.ts'
import type { SchemaCompiler } from '../request/compiler.ts'
import { parseExactly } from '../request/json.ts'
import { violationOf } from '../request/violations.ts'
import { typesOf } from '../schemas.ts'

declare global {
  interface JSON {
    /** What stands for itself in a JSON text (https://tc39.es/proposal-json-parse-with-source). */
    rawJSON(text: string): object
  }
}

/**
 * Turns a body into JSON text. Throws where a required property is missing or a value is of another type than the schema
 * has. Members that a closed schema does not declare are left out. Where a schema combines others (`allOf`, `anyOf`,
 * `oneOf`) or has no single type, the value is written as it is, and must be valid as a whole.
 */
export type Serialiser = (body: unknown) => string

/** Makes the serialisers of schemas that stand in the document. */
export function createSerialiserCompiler(root: OpenApi, compile: SchemaCompiler): (schema: Schema) => Serialiser {
  const shared = new Map<string, Serialiser>()

  /** The place is for messages: where in the document's schemas the value belongs. */
  function writerOf(schema: Schema, place: string): Serialiser {
    if (schema.$ref !== undefined) return referred(schema, schema.$ref)
    const types = typesOf(schema)
    const [type, ...others] = types.filter((each) => each !== 'null')
    const isCombined = 'allOf' in schema || 'anyOf' in schema || 'oneOf' in schema
    if (type === undefined || others.length > 0 || isCombined) return validWriter(schema, place)
    const write = ofType(type, schema, place)
    return types.includes('null') ? (value) => (value === null ? 'null' : write(value)) : write
  }

  function referred(schema: Schema, target: string): Serialiser {
    const known = shared.get(target)
    if (known !== undefined) return known
    // It may refer to itself.
    let write = anyWriter(target)
    shared.set(target, (value) => write(value))
    write = writerOf(resolve<Schema>(root, schema), target.slice(target.lastIndexOf('/') + 1))
    shared.set(target, write)
    return write
  }

  function ofType(type: Exclude<SchemaType, 'null'>, schema: Schema, place: string): Serialiser {
    switch (type) {
      case 'object':
        return objectWriter(schema, place)
      case 'array':
        return listWriter(schema, place)
      default: {
        const write = SCALARS[type]
        return (value) => write(value) ?? fail(place, type, value)
      }
    }
  }

  /** What is written is what counts: a member that is undefined, say, is not there any more. */
  function validWriter(schema: Schema, place: string): Serialiser {
    const write = anyWriter(place)
    if (!RESTRICTIVE.some((keyword) => keyword in schema)) return write
    const validate = compile(schema)
    return (value) => {
      const text = write(value)
      const result = validate(parseExactly(text))
      if ('value' in result) return text
      const [violation] = result.errors.map((error) => violationOf(place, error))
      throw new Error(`${violation}, but the answer is not so`)
    }
  }

  function listWriter({ items = {} }: Schema, place: string): Serialiser {
    const write = writerOf(items, `${place}[]`)
    return (value) => {
      if (!Array.isArray(value)) return fail(place, 'array', value)
      let text = ''
      for (const item of value) text += text === '' ? write(item) : `,${write(item)}`
      return `[${text}]`
    }
  }

  function objectWriter(schema: Schema, place: string): Serialiser {
    const { properties = {}, required = [], additionalProperties: others = true } = schema
    const declared = Object.entries(properties).map(([name, property]) => ({
      name,
      label: `${JSON.stringify(name)}:`,
      write: writerOf(property, `${place}.${name}`),
      isRequired: required.includes(name),
      // What every object has, such as `constructor`, is a member only where it is the object's own.
      isInherited: name in Object.prototype,
    }))
    const writeOther =
      others === false ? undefined : others === true ? anyWriter(`${place}.*`) : writerOf(others, `${place}.*`)
    return (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(place, 'object', value)
      const object = value as Readonly<Record<string, unknown>>
      let text = ''
      for (const { name, label, write, isRequired, isInherited } of declared) {
        const member = isInherited && !Object.hasOwn(object, name) ? undefined : object[name]
        if (member !== undefined) text += (text === '' ? label : `,${label}`) + write(member)
        else if (isRequired) throw new Error(`${place}.${name} is required, but the answer lacks it`)
      }
      if (writeOther !== undefined) {
        for (const [name, member] of Object.entries(object)) {
          if (member !== undefined && !Object.hasOwn(properties, name)) {
            text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${writeOther(member)}`
          }
        }
      }
      return `{${text}}`
    }
  }

  return (schema) => writerOf(schema, 'body')
}

/** Keywords for which a schema without a single type does not take everything. */
const RESTRICTIVE = ['type', 'enum', 'const', 'allOf', 'anyOf', 'oneOf']

/** Each gives undefined for a value of another type. */
const SCALARS = {
  string: (value: unknown) => (typeof value === 'string' ? quote(value) : undefined),
  boolean: (value: unknown) => (typeof value === 'boolean' ? String(value) : undefined),
  integer: (value: unknown) => (typeof value === 'bigint' || Number.isSafeInteger(value) ? String(value) : undefined),
  number: (value: unknown) => (typeof value === 'bigint' || Number.isFinite(value) ? String(value) : undefined),
}

/** What JSON cannot have in a string as it is (RFC 8259, section 7), and surrogates, which may be lone. */
const ESCAPED = /["\\\p{Cc}\uD800-\uDFFF]/u

/** Most texts need no escape, and looking is cheaper than JSON.stringify. */
function quote(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** As JSON.stringify writes it, but for integers of any size, and for numbers that JSON does not have. */
function anyWriter(place: string): Serialiser {
  const replace = (_name: string, value: unknown) => {
    if (typeof value === 'bigint') return JSON.rawJSON(String(value))
    if (typeof value === 'number' && !Number.isFinite(value)) return fail(place, 'number', value)
    return value
  }
  return (value) => JSON.stringify(value, replace) ?? fail(place, 'any', value)
}

/** Says nothing of the value itself, for the message goes into the log. */
function fail(place: string, type: string, value: unknown): never {
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  throw new Error(`${place} is of type ${type}, but the answer has ${found}`)
}
