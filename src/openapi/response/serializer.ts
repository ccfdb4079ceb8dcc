/**
 * Compiles response schemas into functions that write bodies as JSON: every int64 with all its digits, every object with
 * the members that its schema declares, and no value of another type.
 */
import { toError } from '../../errors.ts'
import type { OpenApi, Schema, SchemaType } from '../document/model.ts'
import { getKind, type Response } from '../document/operations.ts'
import { getTypes, type Values } from '../document/references.ts'
import { isObject, keepDigits, parseJson, setMember } from '../json.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import {
  ANY,
  createFromParts,
  createItems,
  createKeys,
  createSharing,
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
  const share = createSharing()

  /** `place` names the value in messages. */
  function createCopy(schemas: readonly (Schema | boolean)[], place: string): Copy {
    const objects = schemas.map(toSchema)
    const [{ $ref } = ANY, ...others] = objects
    const ofReference = $ref === undefined || others.length > 0 ? place : $ref.slice($ref.lastIndexOf('/') + 1)
    const name = objects.every((object) => object === ANY) ? 'a value without a schema' : ofReference
    const fail = () => {
      throw new Error(`invalid response: ${name} must match one of its alternatives`)
    }
    return share(objects, () => createFromParts(root, objects, toTest, (own) => createOwnCopy(own, name), { fail }))
  }

  function toTest(schema: Schema) {
    const validate = compile(schema, 'response')
    return (value: unknown) => 'value' in validate(value)
  }

  function createOwnCopy(own: readonly Schema[], place: string): Copy {
    const lists = own.map(getTypes).filter((types) => types.length > 0)
    const listed = lists.length > 0 ? [...new Set(lists.flat())] : ALL_TYPES
    const types = listed.filter((type) =>
      lists.every((list) => list.includes(type) || (type === 'integer' && list.includes('number'))),
    )
    const tests = types.map((type) => TYPE_TESTS[type])
    const [isOfType] = tests.length === 1 ? tests : [(value: unknown) => tests.some((test) => test(value))]
    const copyArray = types.includes('array') ? createArrayCopy(own, place) : undefined
    const copyObject = types.includes('object') ? createObjectCopy(own, place) : undefined
    return (value) => {
      if (!isOfType?.(value)) {
        const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
        const what = lists.length === 0 ? 'any' : types.join(' or ')
        // The message goes into the log, so it does not contain the value.
        throw new Error(`invalid response: ${place} must be of type ${what}, but is of type ${found}`)
      }
      if (typeof value !== 'object' || value === null) return keepDigits(value)
      return Array.isArray(value) ? copyArray?.(value) : copyObject?.(value as Values)
    }
  }

  function createArrayCopy(own: readonly Schema[], place: string) {
    const getCopy = createItems(own, (index) => createCopy(getItemSchemas(own, index), `${place}[]`))
    // A copy, because `map` leaves out the holes of a sparse array, which would be written as null.
    return (value: readonly unknown[]) => [...value].map((item, index) => getCopy(index)(item))
  }

  function createObjectCopy(own: readonly Schema[], place: string) {
    const names = [...new Set(own.flatMap(({ properties = {} }) => Object.keys(properties)))]
    const isVisible = (name: string) => !isHidden(root, getPropertySchemas(own, name), 'response')
    const visible = names.filter(isVisible)
    const required = new Set(own.flatMap((part) => part.required ?? []))
    const declared = visible.map((name) => ({
      name,
      copy: createCopy(getPropertySchemas(own, name), `${place}.${name}`),
      isRequired: required.has(name),
    }))
    // An open object may require what it does not describe.
    const more = [...required].filter((name) => !names.includes(name) && isVisible(name))
    const hasPatterns = own.some((part) => part.patternProperties !== undefined)
    // Without the keyword, clients expect more than is declared, such as members of later versions; none of it is sent.
    const isOpen = names.length === 0 && !hasPatterns
    const toKey = createKeys()
    const others = new Map<string, Copy | undefined>()
    const findOthers = (name: string) => {
      const schemas = getPropertySchemas(own, name)
      if (schemas.length === 0 && !isOpen && !more.includes(name)) return undefined
      const key = toKey(schemas)
      if (!others.has(key)) {
        const isSent = !schemas.includes(false) && !isHidden(root, schemas, 'response')
        others.set(key, isSent ? createCopy(schemas, `${place}.*`) : undefined)
      }
      return others.get(key)
    }
    const isClosed = more.length === 0 && !hasPatterns && findOthers('') === undefined
    const failMissing = (name: string) => {
      throw new Error(`invalid response: ${place}.${name} is required and missing`)
    }
    return (value: Values) => {
      const copied: Record<string, unknown> = {}
      for (const { name, copy, isRequired } of declared) {
        const member = value[name]
        if (member !== undefined) copied[name] = copy(member)
        else if (isRequired) failMissing(name)
      }
      if (isClosed) return copied
      for (const [name, member] of Object.entries(value)) {
        const copy = member === undefined || names.includes(name) ? undefined : findOthers(name)
        if (copy !== undefined) setMember(copied, name, copy(member))
      }
      for (const name of more) if (!Object.hasOwn(copied, name)) failMissing(name)
      return copied
    }
  }

  return (schema) => {
    const copy = createCopy([schema], 'body')
    return (body) => JSON.stringify(copy(body))
  }
}

/** Throws if a body, the JSON of the media type, or a header of a handler is not what the spec allows. */
export type ResponseCheck = (type: string | undefined, text: string | undefined, headers: HandlerHeaders) => void

/**
 * Makes the complete validation of a response, for tests and development; `required` are the headers that the handler must set.
 */
export function createResponseCheck(
  { content, headers }: Response,
  compile: SchemaCompiler,
  required: readonly string[],
): ResponseCheck {
  const bodies = new Map(
    content.flatMap(({ type, schema }) => (getKind(type) === 'json' ? [[type, compile(schema, 'response')]] : [])),
  )
  const validators = new Map(Object.entries(headers).map(([name, { schema }]) => [name, compile(schema, 'response')]))
  return (type, text, given) => {
    const validateBody = bodies.get(String(type))
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

/** Parses a body that was written. A text that no JSON should have is a fault of the handler, not of the request. */
function parse(text: string): unknown {
  try {
    return parseJson(Buffer.from(text))
  } catch (error) {
    throw new Error(`invalid response: ${toError(error).message}`)
  }
}

const TYPE_TESTS = {
  null: (value: unknown) => value === null,
  string: (value: unknown) => typeof value === 'string',
  boolean: (value: unknown) => typeof value === 'boolean',
  integer: (value: unknown) => typeof value === 'bigint' || Number.isSafeInteger(value),
  number: (value: unknown) => typeof value === 'bigint' || Number.isFinite(value),
  array: Array.isArray,
  object: isObject,
} satisfies Record<SchemaType, (value: unknown) => boolean>
const ALL_TYPES = Object.keys(TYPE_TESTS) as readonly SchemaType[]
