/**
 * Compiles response schemas into functions that write bodies as JSON: every int64 with all its digits, every object with
 * the members that its schema declares, and no value of another type.
 */
import type { OpenApi, Schema, SchemaType } from '../document/model.ts'
import type { Response } from '../document/operations.ts'
import { getTypes, resolve } from '../document/references.ts'
import { isObject, parseExactly } from '../json.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { formatViolations } from '../schema/violations.ts'
import type { HandlerHeaders } from './headers.ts'

/**
 * Writes a body as JSON text. Throws if a required property is missing or a value has another type than its schema.
 * Members that the schema of an object does not declare are left out, unless it declares none (then any are written) or its
 * `additionalProperties` allows them. If a schema combines others (`allOf`, `anyOf`, `oneOf`) or has no single type, the
 * value is written as it is, and must be valid against the schema.
 */
export type Serializer = (body: unknown) => string

/** Appends a value to a text: fewer texts are made than by joining those of the parts. */
type Writer = (text: string, value: unknown) => string

/** Makes the serializers of the document's schemas. */
export function createSerializerCompiler(root: OpenApi, compile: SchemaCompiler): (schema: Schema) => Serializer {
  const shared = new Map<string, Writer>()

  /** `place` names the value in messages. */
  function createWriter(schema: Schema, place: string): Writer {
    if (schema.$ref !== undefined) return createReferenceWriter(schema, schema.$ref)
    const types = getTypes(schema)
    const [type, ...others] = types.filter((each) => each !== 'null')
    if (type === undefined || others.length > 0 || 'allOf' in schema || 'anyOf' in schema || 'oneOf' in schema) {
      const write = createAnyWriter(place)
      return Object.keys(schema).length > 0 ? withValidation(write, schema, place) : write
    }
    const write = createTypeWriter(type, schema, place)
    return types.includes('null') ? (text, value) => (value === null ? `${text}null` : write(text, value)) : write
  }

  function createReferenceWriter(schema: Schema, target: string): Writer {
    const known = shared.get(target)
    if (known !== undefined) return known
    // The schema may refer to itself.
    let write = createAnyWriter(target)
    shared.set(target, (text, value) => write(text, value))
    write = createWriter(resolve<Schema>(root, schema), target.slice(target.lastIndexOf('/') + 1))
    shared.set(target, write)
    return write
  }

  function createTypeWriter(type: Exclude<SchemaType, 'null'>, schema: Schema, place: string): Writer {
    if (type === 'object') return createObjectWriter(schema, place)
    if (type === 'array') return createArrayWriter(schema, place)
    const write = SCALARS[type]
    return (text, value) => write(text, value) ?? fail(place, type, value)
  }

  /** Validates the text rather than the value: a member that is undefined, say, is not written. */
  function withValidation(write: Writer, schema: Schema, place: string): Writer {
    const validate = compile(schema)
    return (text, value) => {
      const written = write('', value)
      const [violation] = formatViolations(place, validate(parseExactly(written)))
      if (violation !== undefined) throw new Error(`invalid response: ${violation}`)
      return text + written
    }
  }

  function createArrayWriter({ items = {} }: Schema, place: string): Writer {
    const write = createWriter(items, `${place}[]`)
    return (text, value) => {
      if (!Array.isArray(value)) return fail(place, 'array', value)
      let written = text
      for (let index = 0; index < value.length; index++)
        written = write(written + (index === 0 ? '[' : ','), value[index])
      return written + (value.length === 0 ? '[]' : ']')
    }
  }

  function createObjectWriter(schema: Schema, place: string): Writer {
    const { properties: described = {}, required = [], additionalProperties } = schema
    // Without the keyword, clients expect more than is declared, such as members of later versions; none of it is sent.
    const others = additionalProperties ?? Object.keys(described).length === 0
    // An open object may require what it does not describe.
    const more = required.filter((name) => !Object.hasOwn(described, name))
    const other = typeof others === 'object' ? others : {}
    const properties = { ...described, ...Object.fromEntries(more.map((name) => [name, other])) }
    const declared = Object.entries(properties).map(([name, property]) => ({
      name,
      first: `{${JSON.stringify(name)}:`,
      next: `,${JSON.stringify(name)}:`,
      write: createWriter(property, `${place}.${name}`),
      isRequired: required.includes(name),
      // Every object inherits `constructor` and the like; they count only as own properties.
      isInherited: name in Object.prototype,
    }))
    const writeOther = others === false ? undefined : createWriter(other, `${place}.*`)
    return (text, value) => {
      if (!isObject(value)) return fail(place, 'object', value)
      let written = text
      let isEmpty = true
      for (const { name, first, next, write, isRequired, isInherited } of declared) {
        const member = isInherited && !Object.hasOwn(value, name) ? undefined : value[name]
        if (member !== undefined) {
          written = write(written + (isEmpty ? first : next), member)
          isEmpty = false
        } else if (isRequired) throw new Error(`invalid response: ${place}.${name} is required and missing`)
      }
      if (writeOther !== undefined) {
        for (const [name, member] of Object.entries(value)) {
          if (member !== undefined && !Object.hasOwn(properties, name)) {
            written = writeOther(`${written}${isEmpty ? '{' : ','}${JSON.stringify(name)}:`, member)
            isEmpty = false
          }
        }
      }
      return written + (isEmpty ? '{}' : '}')
    }
  }

  return (schema) => {
    const write = createWriter(schema, 'body')
    return (body) => write('', body)
  }
}

/**
 * Makes the complete validation of responses, for tests and development: it throws if a body or a header is not what the
 * spec allows, or one of the `required` headers is missing.
 */
export function createResponseCheck({ body, headers }: Response, compile: SchemaCompiler, required: readonly string[]) {
  const validateBody = body && compile(body)
  const validators = new Map(Object.entries(headers).map(([name, { schema }]) => [name, compile(schema)]))
  return (text: string | undefined, given: HandlerHeaders): void => {
    // The text rather than the value: a member that is undefined, say, is not written.
    const violations =
      validateBody && text ? formatViolations('body', validateBody(parseExactly(text))).slice(0, 1) : []
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined) continue
      const validate = validators.get(name)
      if (validate === undefined) violations.push(`the header ${name} is not declared`)
      else violations.push(...formatViolations(name, validate(value)))
    }
    for (const name of required) {
      if (given[name] === undefined) violations.push(`the header ${name} is required and missing`)
    }
    if (violations.length > 0) throw new Error(`invalid response: ${violations.join('; ')}`)
  }
}

/** Each returns undefined for a value of another type. */
const SCALARS = {
  string: (text: string, value: unknown) => (typeof value === 'string' ? appendQuoted(text, value) : undefined),
  boolean: (text: string, value: unknown) => (typeof value === 'boolean' ? `${text}${value}` : undefined),
  integer: (text: string, value: unknown) =>
    typeof value === 'bigint' || Number.isSafeInteger(value) ? `${text}${value}` : undefined,
  number: (text: string, value: unknown) =>
    typeof value === 'bigint' || Number.isFinite(value) ? `${text}${value}` : undefined,
}

/** All but the characters that a JSON string has as they are (RFC 8259, section 7). Surrogates may be lone. */
const ESCAPED = /[^ !#-[\]-\uD7FF\uE000-\uFFFF]/

/** Most texts need no escape, and testing for it is faster than JSON.stringify. */
function appendQuoted(text: string, value: string): string {
  return ESCAPED.test(value) ? text + JSON.stringify(value) : `${text}"${value}"`
}

/** Writes like JSON.stringify, but writes a bigint with all its digits, and throws for numbers that JSON does not have. */
function createAnyWriter(place: string): Writer {
  const replace = (_name: string, value: unknown) => {
    if (typeof value === 'bigint') return JSON.rawJSON(String(value))
    if (typeof value === 'number' && !Number.isFinite(value)) return fail(place, 'number', value)
    return value
  }
  return (text, value) => text + (JSON.stringify(value, replace) ?? fail(place, 'any', value))
}

/** The message goes into the log, so it does not contain the value. */
function fail(place: string, type: string, value: unknown): never {
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  throw new Error(`invalid response: ${place} must be of type ${type}, but is of type ${found}`)
}
