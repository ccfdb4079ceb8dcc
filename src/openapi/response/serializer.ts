/**
 * Compiles response schemas into functions that write bodies as JSON: every int64 with all its digits, every object with
 * the members that its schema declares, and no value of another type.
 */
import type { OpenApi, Schema, SchemaType } from '../document/model.ts'
import { type Content, getKind, type Response } from '../document/operations.ts'
import { getTypes } from '../document/references.ts'
import { getType, isObject, keepDigits, parseExactly } from '../json.ts'
import { createScalarReader, isScalar } from '../request/styles.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import {
  ANY,
  countPrefixItems,
  createFromParts,
  getItemSchemas,
  getPropertySchemas,
  isHidden,
  toSchema,
} from '../schema/parts.ts'
import { formatViolations } from '../schema/violations.ts'
import type { HandlerHeaders } from './headers.ts'

/**
 * Writes a body as JSON text. Throws if a required property is missing, or a value has another type than its schema, or
 * satisfies none of several alternatives. Members that no schema of an object declares are left out, unless none declares any
 * or `additionalProperties` allows them.
 */
export type Serializer = (body: unknown) => string

/** Copies what is written of a value, with numbers that `JSON.stringify` writes exactly. Throws as a `Serializer` does. */
type Copy = (value: unknown) => unknown

/** Makes the serializers of the document's schemas. */
export function createSerializerCompiler(root: OpenApi, compile: SchemaCompiler): (schema: Schema) => Serializer {
  const ids = new Map<Schema, number>()
  const shared = new Map<string, Copy>()

  /** `place` names the value in messages. */
  function createCopy(schemas: readonly (Schema | boolean)[], place: string): Copy {
    const objects = schemas.map(toSchema)
    for (const object of objects) if (!ids.has(object)) ids.set(object, ids.size)
    const key = objects.map((object) => ids.get(object)).join()
    const known = shared.get(key)
    if (known !== undefined) return known
    const [{ $ref } = {}, ...others] = objects
    const ofReference = $ref === undefined || others.length > 0 ? place : $ref.slice($ref.lastIndexOf('/') + 1)
    const name = objects.every((object) => object === ANY) ? 'a value without a schema' : ofReference
    // The schemas may refer to themselves.
    let copy: Copy = (value) => value
    shared.set(key, (value) => copy(value))
    const fail = () => {
      throw new Error(`invalid response: ${name} must match one of its alternatives`)
    }
    copy = createFromParts(root, objects, toTest, (own) => createOwnCopy(own, name), { fail })
    shared.set(key, copy)
    return copy
  }

  function toTest(schema: Schema) {
    const validate = compile(schema, 'response')
    return (value: unknown) => 'value' in validate(value)
  }

  function createOwnCopy(own: readonly Schema[], place: string): Copy {
    const lists = own.map(getTypes).filter((types) => types.length > 0)
    const all = [...new Set(lists.flat())]
    const types =
      lists.length === 0
        ? ALL_TYPES
        : all.filter((type) =>
            lists.every((list) => list.includes(type) || (type === 'integer' && list.includes('number'))),
          )
    const copies = types.map((type) => ({ type, copy: createTypeCopy(type, own, place) }))
    const [first, ...others] = copies
    if (first !== undefined && others.length === 0) return first.copy
    const fitting = (value: unknown) => {
      const type = getType(value)
      return copies.find((candidate) => candidate.type === type || (candidate.type === 'integer' && type === 'number'))
    }
    const what = types === ALL_TYPES ? 'any' : types.join(' or ')
    return (value) => (fitting(value)?.copy ?? (() => fail(place, what, value)))(value)
  }

  function createTypeCopy(type: SchemaType, own: readonly Schema[], place: string): Copy {
    if (type === 'object') return createObjectCopy(own, place)
    if (type === 'array') return createArrayCopy(own, place)
    const isOfType = SCALARS[type]
    return (value) => (isOfType(value) ? keepDigits(value) : fail(place, type, value))
  }

  function createArrayCopy(own: readonly Schema[], place: string): Copy {
    const count = countPrefixItems(own)
    const create = (index: number) => createCopy(getItemSchemas(own, index), `${place}[]`)
    const first = Array.from({ length: count }, (_each, index) => create(index))
    const others = create(count)
    // A copy, because `map` leaves out the holes of a sparse array, which would be written as null.
    return (value) =>
      Array.isArray(value)
        ? [...value].map((item, index) => (first[index] ?? others)(item))
        : fail(place, 'array', value)
  }

  function createObjectCopy(own: readonly Schema[], place: string): Copy {
    const names = [...new Set(own.flatMap(({ properties = {} }) => Object.keys(properties)))]
    const isVisible = (name: string) =>
      !getPropertySchemas(own, name).some((property) => isHidden(root, toSchema(property), 'response'))
    const visible = names.filter(isVisible)
    const required = new Set(own.flatMap((part) => part.required ?? []))
    const declared = visible.map((name) => ({
      name,
      copy: createCopy(getPropertySchemas(own, name), `${place}.${name}`),
      isRequired: required.has(name),
    }))
    // An open object may require what it does not describe.
    const more = [...required].filter((name) => !names.includes(name))
    const hasPatterns = own.some((part) => part.patternProperties !== undefined)
    // Without the keyword, clients expect more than is declared, such as members of later versions; none of it is sent.
    const isOpen = names.length === 0 && !hasPatterns
    const findOthers = (name: string) => {
      const schemas = getPropertySchemas(own, name)
      const isOther = schemas.length > 0 ? !schemas.includes(false) : isOpen || more.includes(name)
      return isOther ? createCopy(schemas, `${place}.*`) : undefined
    }
    const isClosed = more.length === 0 && !hasPatterns && findOthers('') === undefined
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
      if (isClosed) return copied
      const rest = Object.entries(value).flatMap(([name, member]) => {
        const copy = member === undefined || names.includes(name) ? undefined : findOthers(name)
        return copy === undefined ? [] : [[name, copy(member)]]
      })
      const all = { ...copied, ...Object.fromEntries(rest) }
      for (const name of more) if (!Object.hasOwn(all, name)) failMissing(name)
      return all
    }
  }

  return (schema) => {
    const copy = createCopy([schema], 'body')
    return (body) => JSON.stringify(copy(body))
  }
}

/** A declared response with one of its media types; undefined if it has no body. */
export interface ResponseOfOneType {
  readonly content: Content | undefined
  readonly headers: Response['headers']
}

/**
 * Makes the complete validation of responses, for tests and development: it throws if a body or a header is not what the
 * spec allows, or one of the `required` headers is missing.
 */
export function createResponseCheck(
  root: OpenApi,
  { content, headers }: ResponseOfOneType,
  compile: SchemaCompiler,
  required: readonly string[],
) {
  const kind = content && getKind(content.type)
  // A schema of something else describes what the text is made of.
  const isChecked = kind === 'json' || (kind === 'text' && content !== undefined && isScalar(root, content.schema))
  const validateBody = content && isChecked ? compile(content.schema, 'response') : undefined
  const parse = content && kind === 'text' ? createScalarReader(root, content.schema, compile) : parseExactly
  const validators = new Map(Object.entries(headers).map(([name, { schema }]) => [name, compile(schema, 'response')]))
  return (text: string | undefined, given: HandlerHeaders): void => {
    // The text rather than the value: a member that is undefined, say, is not written.
    const violations = validateBody && text ? formatViolations('body', validateBody(parse(text))).slice(0, 1) : []
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
  null: (value: unknown) => value === null,
  string: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
  integer: (value: unknown) => typeof value === 'bigint' || Number.isSafeInteger(value),
  number: (value: unknown) => typeof value === 'bigint' || Number.isFinite(value),
}
const ALL_TYPES = ['null', 'string', 'boolean', 'number', 'array', 'object'] as const

/** The message goes into the log, so it does not contain the value. */
function fail(place: string, type: string, value: unknown): never {
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  throw new Error(`invalid response: ${place} must be of type ${type}, but is of type ${found}`)
}
