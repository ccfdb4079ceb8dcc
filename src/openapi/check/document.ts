/**
 * Checks a document: each value by `supported.yaml`, and then what its values say of each other.
 */

import { METHODS } from 'node:http'
import { createRequire } from 'node:module'
import type { ErrorObject } from 'ajv'
import { METHODS as FIELDS, type OpenApi } from '../document/model.ts'
import type { Problem } from '../document/parse.ts'
import { parsePointer, toObject, toPointer, type Values } from '../document/references.ts'
import { convertSchemas } from '../document/version.ts'
import { isObject } from '../json.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { didYouMean } from '../schema/violations.ts'
import { checkHeader, checkHeaderNames, checkParameter, checkPaths } from './paths.ts'
import { createPlace, formatValue, type Place } from './place.ts'
import { checkReference } from './references.ts'
import { checkSchema } from './schemas.ts'

/** By the values of the keyword `check`. They rely on the types of `model.ts`, and on references that lead somewhere. */
const CHECKS: Readonly<Record<string, (value: never, place: Place) => void>> = {
  date: checkDate,
  header: checkHeader,
  headers: checkHeaderNames,
  method: checkMethod,
  parameter: checkParameter,
  paths: checkPaths,
  pattern: checkPattern,
  reference: checkReference,
  schema: checkSchema,
  security: checkSecurity,
  serverVariable: checkServerVariable,
}

/** What the others rely on. These see one value alone, so that no problem beside it explains theirs. */
const FIRST = /^(date|pattern|reference)$/

/** Finds what is wrong with a document by itself. */
export function checkDocument(root: OpenApi, compile: SchemaCompiler): Problem[] {
  const supported = loadSupported()
  const found: Found[] = []
  supported.call(found, root)
  const problems = formatErrors(supported.errors ?? [])
  convertSchemas(
    root,
    found.filter(({ check, value }) => check === 'schema' && isObject(value)).map(({ value }) => value),
  )
  for (const isFirst of [true, false]) {
    const reported = [...problems]
    const report = (problem: Problem) => {
      const follows = (pointer: string) => (isFirst ? problem.pointer === pointer : mayFollow(problem.pointer, pointer))
      if (!reported.some(({ pointer }) => follows(pointer))) problems.push(problem)
    }
    for (const { check, value, pointer } of found.filter((item) => FIRST.test(item.check) === isFirst)) {
      try {
        CHECKS[check]?.(value, createPlace({ root, compile }, pointer, report))
      } catch (error) {
        // It has met a value that is not valid, or a reference that leads nowhere.
        if (reported.length === 0) throw error
      }
    }
  }
  return problems
}

/** True if a problem may follow from another one: it is at the same value or within, around or beside it. */
function mayFollow(pointer: string, other: string): boolean {
  const parent = getParent(other)
  return `${pointer}/`.startsWith(`${other}/`) || pointer === parent || getParent(pointer) === parent
}

function getParent(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'))
}

/** The validator of `supported.yaml`. It adds the values with the keyword `check` to `this`. */
interface Supported {
  (this: Found[], root: OpenApi): boolean
  readonly errors?: readonly ErrorObject[] | null
}

/** A value with the keyword `check`. */
interface Found {
  readonly check: string
  readonly value: never
  readonly pointer: string
}

/** Written by `npm run generate`, which runs without it. */
const loadSupported = () => createRequire(import.meta.url)('../../../generated/supported.js').default as Supported

/** The fields that this service adds to the standard. */
const EXTENSIONS = [
  'x-deprecated-since',
  'x-extensible-enum',
  'x-idempotency-ttl-seconds',
  'x-max-bytes',
  'x-max-depth',
  'x-replaced-by',
  'x-stability-level',
  'x-sunset',
]

/** True for an extension of some other tool (OpenAPI 3.1, Specification Extensions); false for a misspelling of one of ours. */
function isForeign(name: string): boolean {
  return name.startsWith('x-') && !EXTENSIONS.includes(name) && didYouMean(name, EXTENSIONS) === ''
}

/** Words the errors: `what is wrong; what to do`. */
function formatErrors(errors: readonly ErrorObject[]): Problem[] {
  // An unknown field may stand for one that is missing: they are one problem.
  const missing = Map.groupBy(
    errors.filter(({ keyword }) => keyword === 'required'),
    ({ instancePath }) => instancePath,
  )
  const unknown = errors.filter(
    ({ keyword, params }) => keyword === 'additionalProperties' && !isForeign(params.additionalProperty),
  )
  const places = new Set(unknown.map(({ instancePath }) => instancePath))
  const formatNeeds = (pointer: string) => {
    const names = new Set(missing.get(pointer)?.map(({ params }) => `"${params.missingProperty}"`))
    return names.size > 0 ? `needs ${[...names].join(' and ')}` : ''
  }
  return errors.flatMap((error): Problem[] => {
    const { keyword, instancePath: pointer, params } = error
    const { title, advice, properties = {} } = toObject(error.parentSchema) as Described
    if (keyword === 'if' || keyword === 'propertyNames') return []
    if (keyword === 'additionalProperties') {
      if (!unknown.includes(error)) return []
      const name = params.additionalProperty
      const needs = formatNeeds(pointer)
      const hint = didYouMean(name, Object.keys(properties)) || (needs && `, which ${needs}`)
      const message = `"${name}" is not supported in ${title}${hint}; ${advice ?? 'remove or correct it'}`
      return [{ pointer: pointer + toPointer(name), message }]
    }
    if (keyword === 'required') {
      if (places.has(pointer)) return []
      const needs = formatNeeds(pointer)
      return [{ pointer, message: `${title} ${needs}; add ${needs.includes(' and ') ? 'them' : 'it'}` }]
    }
    const name = error.propertyName
    if (name === undefined) return [{ pointer, message: formatError(error, advice) }]
    return [{ pointer: pointer + toPointer(name), message: `the name "${name}" is not supported here; ${advice}` }]
  })
}

/** What a schema of `supported.yaml` says besides its keywords. */
interface Described {
  readonly title?: string
  readonly advice?: string
  readonly properties?: Values
}

function formatError({ keyword, params, data, instancePath }: ErrorObject, advice?: string): string {
  if (keyword === 'type' || keyword === 'numeric') {
    const type = keyword === 'numeric' ? 'number' : params.type
    const usual = type === 'string' && typeof data !== 'object' ? 'put it in quotes' : (advice ?? 'change it')
    return `this must be of type ${type}, but is ${formatValue(data)}; ${usual}`
  }
  if (keyword === 'uniqueItems') return `this has the same item twice; ${advice}`
  if (/^min(Items|Properties)$/.test(keyword)) return `this is empty; ${advice}`
  if (keyword === 'not') return `"${parsePointer(instancePath).at(-1)}" is not supported here; ${advice}`
  const values = [params.allowedValues ?? params.allowedValue].flat()
  const choice = `use ${values.length > 1 ? 'one of: ' : ''}${values.join(', ')}`
  return `${formatValue(data)} is not supported here; ${advice ?? choice}`
}

/** RFC 3339, full-date */
function checkDate(text: string, place: Place): void {
  const time = Date.parse(`${text}T00:00:00Z`)
  if (Number.isFinite(time) && new Date(time).toISOString().slice(0, 10) === text) return
  place.report(`${formatValue(text)} is not a date; write it as YYYY-MM-DD`)
}

/** With the flag, unlike the format `regex`. */
function checkPattern(text: string, place: Place): void {
  try {
    RegExp(text, 'u')
  } catch {
    const what = 'is not a regular expression that JavaScript accepts with the flag "u"'
    place.report(`${formatValue(text)} ${what}; correct it`)
  }
}

/** A requirement names schemes of the document, of which no two need different credentials in one header. */
function checkSecurity(requirement: Values, place: Place): void {
  const schemes = toObject(place.root.components?.securitySchemes)
  for (const name of Object.keys(requirement)) {
    if (Object.hasOwn(schemes, name)) continue
    const advice = 'add it to components.securitySchemes or correct the name'
    place.at(name).report(`the security scheme "${name}" does not exist; ${advice}`)
  }
  const all = Object.keys(requirement).map((name) => toObject(schemes[name]))
  const needs = (pattern: RegExp) => all.some(({ type, scheme = type }) => pattern.test(String(scheme)))
  if (!needs(/^basic$/i) || !needs(/^(bearer|oauth2|openIdConnect)$/i)) return
  place.report('a request has one Authorization header, not both Basic and Bearer; write them as alternatives')
}

const isField = (method: string) => FIELDS.some((field) => field === method.toLowerCase())

/** A method that requests can have, and that has no field of its own. */
function checkMethod(name: string, place: Place): void {
  if (METHODS.includes(name) && name !== 'CONNECT' && !isField(name)) return
  place.at(name).report(`"${name}" is no other method of HTTP that Node.js receives; remove it or correct the name`)
}

function checkServerVariable({ default: value, enum: values }: Values, place: Place): void {
  if (!Array.isArray(values) || values.includes(value)) return
  place.at('default').report(`${formatValue(value)} is not in the enum of the variable; correct one of them`)
}
