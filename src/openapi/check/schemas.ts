/** Checks keywords of schemas that relate to others (OpenAPI 3.1, Schema Object). `schema/README.md` describes the views. */
import type { OpenApi, Schema } from '../document/model.ts'
import type { Problem } from '../document/problems.ts'
import { getTypes } from '../document/subschemas.ts'
import { hasVersion } from '../document/version.ts'
import { type Formats, isBuiltIn } from '../schema/formats.ts'
import { formatViolations } from '../schema/messages.ts'
import type { SchemaView } from '../schema/view.ts'
import type { Context } from './context.ts'

/**
 * The most patterns of an object that lead to `readOnly` or `writeOnly`. Each combination of patterns that a name matches compiles more
 * validators, and clients choose the names: with 4 patterns, there are at most 16 combinations.
 */
const MAX_MARKED_PATTERNS = 4

/** The most views in whose members `findSharedViews` looks. Members beyond may lack a warning. */
const MAX_VISITED = 20

type Views = Context['compile']['views']

/** Reports keywords without effect, keywords that are for responses, wrong defaults, and required members that a branch hides. */
export function* checkSchema(schema: Schema | boolean, pointer: string, context: Context): Iterable<Problem> {
  if (typeof schema === 'boolean') return
  const isInRequest = context.requestSchemas.has(schema)
  // A handler's type has only the listed values, but clients may send others.
  if (isInRequest && 'x-extensible-enum' in schema) {
    const what = 'a request has this "x-extensible-enum", which is for responses'
    yield { pointer: `${pointer}/x-extensible-enum`, message: `${what}; use "enum", in a schema of its own if need be` }
  }
  if (isInRequest && 'default' in schema) yield* checkDefault(schema, `${pointer}/default`, context)
  yield* checkItems(schema, pointer, context)
  yield* checkPatterns(schema, pointer, context)
  if (context.compile.views.getBranchings(schema).length > 0) yield* checkRequired(schema, pointer, context)
}

/** Reports items that are `writeOnly`. Responses omit members of objects, but no items: an array with fewer items means something else. */
function* checkItems(schema: Schema, pointer: string, { compile: { views } }: Context): Iterable<Problem> {
  for (const keyword of ['items', 'prefixItems', 'contains', 'unevaluatedItems'] as const) {
    const subschemas = [schema[keyword] ?? []].flat()
    if (!subschemas.some((subschema) => views.get(subschema).isHidden('response'))) continue
    const message = 'items are sent although they are writeOnly; make the array writeOnly, or members of the items'
    yield { pointer: `${pointer}/${keyword}`, message, isWarning: true }
  }
}

/** Reports an object with many patterns whose schemas lead to `readOnly` or `writeOnly`. */
function* checkPatterns(schema: Schema, pointer: string, { compile: { views } }: Context): Iterable<Problem> {
  if (schema.patternProperties === undefined && schema.allOf === undefined) return
  const hasTooMany = (part: Schema | boolean) => {
    const markedPatterns = views.get(part).patternViews.filter(({ schemas }) => schemas.some(views.hasMarks))
    return markedPatterns.length > MAX_MARKED_PATTERNS
  }
  if (!hasTooMany(schema) || schema.allOf?.some(hasTooMany)) return
  const message = `more than ${MAX_MARKED_PATTERNS} patterns of an object have "readOnly" or "writeOnly" within their schemas; name the properties, or have fewer patterns`
  yield { pointer, message }
}

/**
 * Reports each required property that one branch hides and another one does not (see `isHidden` of a view):
 * `anyOf: [{ required: [id] }, { properties: { id: { readOnly: true } } }]`. Looks also into members that several branches describe.
 */
function* checkRequired(schema: Schema, pointer: string, context: Context): Iterable<Problem> {
  const { views } = context.compile
  const members = findSharedViews(schema, views).flatMap((view) =>
    Array.from(view.requiredNames, (name) => ({ view, name })),
  )
  for (const { view, name } of members) {
    if (context.requestSchemas.has(schema) && isRejectedThoughRequired(view, name)) {
      const message = `"${name}" is required, and readOnly in a branch, which no request satisfies; require it in the other branches`
      yield { pointer, message, isWarning: true }
    }
    if (isOmittedThoughRequired(views, view, name)) {
      const message = `"${name}" is required, and writeOnly in a branch, so no response has it; make it writeOnly in all branches, or in none`
      yield { pointer, message, isWarning: true }
    }
  }
}

/**
 * Finds the view of a schema, and of its members at any depth that several declarations describe. A single declaration is checked where
 * it is.
 */
function findSharedViews(schema: Schema, views: Views): SchemaView[] {
  const isShared = ({ declarations, schemas }: SchemaView) => declarations.length > 1 && schemas.some(views.hasMarks)
  const sharedViews = new Set([views.get(schema)])
  // The iteration includes the views that are added during it. In a ring of unions, it would have no end: each view has more declarations
  // than the one before.
  for (const { memberViews, items } of sharedViews.values().take(MAX_VISITED)) {
    for (const view of [...memberViews, ...items].filter(isShared)) sharedViews.add(view)
  }
  return [...sharedViews]
}

/**
 * True if a property is required whichever branches apply, and a branch rejects it as `readOnly`: with
 * `{ required: [id], oneOf: [{ properties: { id: { readOnly: true } } }, { properties: { id: {} } }] }`.
 */
function isRejectedThoughRequired(view: SchemaView, name: string): boolean {
  const isRequired = view.unconditional.conjuncts.some(({ required = [] }) => required.includes(name))
  if (!isRequired || view.isPropertyHidden(name, 'request')) return false
  return view.property(name).declarationViews.some((declaration) => declaration.isHidden('request'))
}

/**
 * True if a branch makes a property `writeOnly`, so that responses omit it, and a schema that requires the property does not: with
 * `anyOf: [{ required: [key], properties: { key: {} } }, { properties: { key: { writeOnly: true } } }]`.
 */
function isOmittedThoughRequired(views: Views, view: SchemaView, name: string): boolean {
  if (!view.isPropertyHidden(name, 'response') || view.property(name).unconditional.isHidden('response')) return false
  const requiringSchemas = view.schemas.filter(({ required = [] }) => required.includes(name))
  const declarations = requiringSchemas.flatMap((schema) => views.get(schema).property(name).declarationViews)
  return declarations.some((declaration) => !declaration.isHidden('response'))
}

/** Reports a default that contains itself, and a default that is not filled in because it is not valid. */
function* checkDefault(schema: Schema, pointer: string, { compile, formats }: Context): Iterable<Problem> {
  const validated = compile(schema)(structuredClone(schema.default))
  const [violation] = formatViolations('default', validated)
  if (!('errors' in validated) || violation === undefined) return
  // Properties that a default lacks are filled in by their own defaults: with `Node: { default: {}, properties: { next: Node } }`,
  // without an end.
  if (validated.errors.some(({ keyword }) => keyword === 'complexity')) {
    yield { pointer, message: 'the default is recursive; remove one of its properties' }
    return
  }
  // Otherwise, it would be filled in, and then rejected: handlers would receive another number.
  if (validated.errors.some(({ params }) => params.format === 'double-int')) {
    yield { pointer, message: `the ${violation}; choose another one, or the format "int64"` }
    return
  }
  // The types say that this default is filled in: their generator does not have the functions of the app.
  const hasAppFormat = validated.errors.some(
    ({ keyword, params }) => keyword === 'format' && Object.hasOwn(formats, params.format),
  )
  const what = `the default is not valid against its schema${hasAppFormat ? '' : ', so it has no effect'}`
  yield { pointer, message: `${what}: ${violation}; change one of them`, isWarning: !hasAppFormat }
}

/** Reports types that a document of 3.0 cannot have: `type` is one name there, and `nullable` allows null (OpenAPI 3.0.4, Schema Object). */
export function* checkTypes(schemas: ReadonlyMap<string, Schema>, root: OpenApi): Iterable<Problem> {
  if (!hasVersion(root, '3.0')) return
  const message = 'OpenAPI 3.0 has one type, and not "null"; write "nullable: true", or "openapi: 3.1.0"'
  for (const [pointer, { type }] of schemas) {
    if (Array.isArray(type) || type === 'null') yield { pointer: `${pointer}/type`, message }
  }
}

/** Reports each format that nothing validates, where it occurs first: a document may have it hundreds of times. */
export function* checkFormats(schemas: ReadonlyMap<string, Schema>, appFormats: Formats = {}): Iterable<Problem> {
  const reportedMessages = new Set<string>()
  for (const [pointer, schema] of schemas) {
    const { format } = schema
    // OpenAPI defines `password` as a hint for user interfaces alone.
    if (format === undefined || isBuiltIn(format) || format === 'password') continue
    const types = getTypes(schema)
    const allowsTexts = types.length === 0 || types.includes('string')
    if (allowsTexts && Object.hasOwn(appFormats, format)) continue
    const advice = allowsTexts ? 'add a function for it to the option formats' : 'use other keywords, such as "maximum"'
    const message = `the format "${format}" is not validated; ${advice}`
    if (reportedMessages.has(message)) continue
    reportedMessages.add(message)
    yield { pointer: `${pointer}/format`, message, isWarning: true }
  }
}
