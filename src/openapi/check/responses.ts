/** Checks responses and their headers (OpenAPI 3.1, Responses Object, Header Object). */
import { findAllowedValues } from '../document/allowed-values.ts'
import type { HeaderObject, MediaTypeObject, ResponseObject, Schema } from '../document/model.ts'
import { toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { getReferences } from '../document/references.ts'
import { INTERIM_STATUS } from '../document/responses.ts'
import { toSchema } from '../document/subschemas.ts'
import { getOwn } from '../document/values.ts'
import { hasVersion } from '../document/version.ts'
import { EVENT_FIELDS, EVENT_STREAM, findFrame } from '../response/frames.ts'
import type { SchemaView } from '../schema/view.ts'
import type { Context } from './context.ts'

/** Matches the field values that clients read as they were written (RFC 9110, section 5.5). */
export const FIELD_VALUE = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/

/** Reports interim responses, which no handler can send. */
export function* checkResponses(responses: object, pointer: string): Iterable<Problem> {
  for (const key of Object.keys(responses).filter((key) => INTERIM_STATUS.test(key))) {
    const message = `no handler sends a response before its last one, so "${key}" has no effect; remove it`
    yield { pointer: pointer + toPointer(key), message, isWarning: true }
  }
}

/** Reports a body that is `writeOnly`, and an `itemSchema` where no stream of items can be sent. */
export function* checkResponse({ content = {} }: ResponseObject, pointer: string, context: Context): Iterable<Problem> {
  const { resolve, resolvePointer } = getReferences(context.root)
  for (const [type, reference] of Object.entries(content)) {
    const { schema, itemSchema } = resolve<MediaTypeObject>(reference)
    const mediaPointer = resolvePointer(pointer + toPointer('content', type))
    if (schema !== undefined && context.compile.views.get(schema).isHidden('response')) {
      const message = 'the body is sent although it is writeOnly; make its members writeOnly'
      yield { pointer: mediaPointer, message, isWarning: true }
    }
    const messages =
      itemSchema === undefined ? [] : describeItemMistakes(type.toLowerCase(), schema, itemSchema, context)
    for (const message of messages) yield { pointer: `${mediaPointer}/itemSchema`, message }
  }
}

/** Describes why no stream of items can be sent: the first reason, or all wrong fields of events. */
function describeItemMistakes(
  type: string,
  schema: Schema | undefined,
  itemSchema: Schema,
  { compile, root }: Context,
): string[] {
  if (!hasVersion(root, '3.2')) return ['"itemSchema" is not in this version of OpenAPI; write "openapi: 3.2.0"']
  if (findFrame(type) === undefined) {
    const types = `${EVENT_STREAM}, application/jsonl, application/x-ndjson and application/json-seq`
    return [`streams of items have the types ${types}; use one of them, or "schema"`]
  }
  if (schema !== undefined) {
    return ['each item is sent by itself, so no "schema" holds for all of them; remove one of the schemas']
  }
  return type.startsWith(EVENT_STREAM) ? [...findWrongFields(compile.views.get(itemSchema))] : []
}

/** Finds the members that are no fields of Server-Sent Events, or have another type (OpenAPI 3.2, Server-Sent Events). */
function* findWrongFields(view: SchemaView): Iterable<string> {
  if (view.types?.includes('object') === false) yield 'an event is an object; use "type: object"'
  for (const name of view.propertyNames) {
    const field = getOwn(EVENT_FIELDS, name)
    const { types = [] } = view.property(name)
    if (field === undefined) {
      const advice = 'describe JSON in "data" by contentMediaType and contentSchema'
      yield `an event has no field "${name}", only ${Object.keys(EVENT_FIELDS).join(', ')}; ${advice}`
    } else if (types.some((type) => type !== field.type)) {
      yield `the field "${name}" of an event must be of type ${field.type}; JSON in it is a text with a contentSchema`
    }
  }
}

/** Reports a header that is no scalar, or has a constant value that clients do not read as it was written. */
export function* checkHeader(
  { schema: schemaOrBoolean }: HeaderObject,
  pointer: string,
  { compile, root }: Context,
): Iterable<Problem> {
  const toProblem = (message: string) => ({ pointer: `${pointer}/schema`, message })
  const schema = toSchema(schemaOrBoolean)
  if (!compile.views.get(schema).isScalar) yield toProblem('a header must be a scalar; change its type')
  for (const value of findAllowedValues(root, schema) ?? []) {
    if (FIELD_VALUE.test(String(value))) continue
    const what = `a header cannot have the value ${JSON.stringify(value)}`
    yield toProblem(`${what}; use printable ASCII characters, without blanks at the ends`)
  }
}
