/**
 * Compiles response schemas into functions that write bodies as JSON: every int64 with all its digits, every object with
 * the members that its schema declares, and no value of another type.
 */
import type { OpenApi, Schema, SchemaType } from '../document/model.ts'
import type { Response } from '../document/operations.ts'
import { getTypes, resolve } from '../document/references.ts'
import { isObject, keepDigits, parseExactly } from '../json.ts'
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

/** Copies the parts of a value that are written, with numbers that `JSON.stringify` writes exactly. Throws as `Serializer` does. */
type Copy = (value: unknown) => unknown

/** Makes the serializers of the document's schemas. */
export function createSerializerCompiler(root: OpenApi, compile: SchemaCompiler): (schema: Schema) => Serializer {
  const shared = new Map<string, Copy>()

  /** `place` names the value in messages. */
  function createCopy(schema: Schema, place: string): Copy {
    if (schema.$ref !== undefined) return createReferenceCopy(schema, schema.$ref)
    const types = getTypes(schema)
    const [type, ...others] = types.filter((type) => type !== 'null')
    if (type === undefined || others.length > 0 || 'allOf' in schema || 'anyOf' in schema || 'oneOf' in schema) {
      return createValidCopy(schema, place)
    }
    const copy = createTypeCopy(type, schema, place)
    return types.includes('null') ? (value) => (value === null ? null : copy(value)) : copy
  }

  function createReferenceCopy(schema: Schema, target: string): Copy {
    const known = shared.get(target)
    if (known !== undefined) return known
    // The schema may refer to itself.
    let copy: Copy = (value) => value
    shared.set(target, (value) => copy(value))
    copy = createCopy(resolve<Schema>(root, schema), target.slice(target.lastIndexOf('/') + 1))
    shared.set(target, copy)
    return copy
  }

  function createTypeCopy(type: Exclude<SchemaType, 'null'>, schema: Schema, place: string): Copy {
    if (type === 'object') return createObjectCopy(schema, place)
    if (type === 'array') return createArrayCopy(schema, place)
    const isOfType = SCALARS[type]
    return (value) => (isOfType(value) ? keepDigits(value) : fail(place, type, value))
  }

  /** The value as its JSON has it, which must be valid: a member that is undefined, say, is not written. */
  function createValidCopy(schema: Schema, place: string): Copy {
    const validate = Object.keys(schema).length > 0 ? compile(schema) : undefined
    const replace = (_name: string, value: unknown) =>
      typeof value === 'number' && !Number.isFinite(value) ? fail(place, 'number', value) : keepDigits(value)
    return (value) => {
      const text = JSON.stringify(value, replace) ?? fail(place, 'any', value)
      const [violation] = validate ? formatViolations(place, validate(parseExactly(text))) : []
      if (violation !== undefined) throw new Error(`invalid response: ${violation}`)
      return JSON.parse(text, (_name, inner: unknown, context?: { readonly source?: string }) =>
        typeof inner === 'number' ? JSON.rawJSON(String(context?.source)) : inner,
      )
    }
  }

  function createArrayCopy({ items = {} }: Schema, place: string): Copy {
    const copy = createCopy(items, `${place}[]`)
    // A copy, because `map` leaves out the holes of a sparse array, which would be written as null.
    return (value) => (Array.isArray(value) ? [...value].map(copy) : fail(place, 'array', value))
  }

  function createObjectCopy(schema: Schema, place: string): Copy {
    const { properties: described = {}, required = [], additionalProperties } = schema
    // Without the keyword, clients expect more than is declared, such as members of later versions; none of it is sent.
    const others = additionalProperties ?? Object.keys(described).length === 0
    // An open object may require what it does not describe.
    const more = required.filter((name) => !Object.hasOwn(described, name))
    const declared = Object.entries(described).map(([name, property]) => ({
      name,
      copy: createCopy(property, `${place}.${name}`),
      isRequired: required.includes(name),
    }))
    const copyOther = createCopy(typeof others === 'object' ? others : {}, `${place}.*`)
    const isOther = (name: string) => !Object.hasOwn(described, name) && (others !== false || more.includes(name))
    const failMissing = (name: string) => {
      throw new Error(`invalid response: ${place}.${name} is required and missing`)
    }
    return (value) => {
      if (!isObject(value)) return fail(place, 'object', value)
      const copied: Record<string, unknown> = {}
      for (const { name, copy, isRequired } of declared) {
        const member = value[name]
        if (member !== undefined) copied[name] = copy(member)
        else if (isRequired) failMissing(name)
      }
      if (others === false && more.length === 0) return copied
      const rest = Object.entries(value).filter(([name, member]) => member !== undefined && isOther(name))
      const all = { ...copied, ...Object.fromEntries(rest.map(([name, member]) => [name, copyOther(member)])) }
      for (const name of more) if (!Object.hasOwn(all, name)) failMissing(name)
      return all
    }
  }

  return (schema) => {
    const copy = createCopy(schema, 'body')
    return (body) => JSON.stringify(copy(body))
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

const SCALARS = {
  string: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
  integer: (value: unknown) => typeof value === 'bigint' || Number.isSafeInteger(value),
  number: (value: unknown) => typeof value === 'bigint' || Number.isFinite(value),
}

/** The message goes into the log, so it does not contain the value. */
function fail(place: string, type: string, value: unknown): never {
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  throw new Error(`invalid response: ${place} must be of type ${type}, but is of type ${found}`)
}
