/**
 * The rules that `supported.ts` is made of. A rule finds what is wrong with a value of a document, which may be of any type.
 */

import type { Problem } from '../document/load.ts'
import type { OpenApi } from '../document/model.ts'
import { getValueAt, toPointer } from '../document/references.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { didYouMean } from '../schema/violations.ts'
import { getEntries, toObject } from './find.ts'

export type Rule = (value: unknown, place: Place) => Iterable<Problem>

/** The place of a value: a JSON pointer into the document. */
export interface Place {
  readonly root: OpenApi
  readonly pointer: string
  /** Compiles a schema of the document. */
  readonly compile: SchemaCompiler
  /** The pointers of the parts that are documentation alone. */
  readonly documented: string[]
}

type TypeName = 'string' | 'boolean' | 'number' | 'object' | 'array'

export const any: Rule = () => []
export const text = typed('string')
export const flag = typed('boolean')
export const number = typed('number')

/** A value of a type, which meets further rules. */
export function typed(type: TypeName, ...rules: readonly Rule[]): Rule {
  return (value, place) => {
    const actual = Array.isArray(value) ? 'array' : typeof value === 'bigint' ? 'number' : typeof value
    if (actual === type && value !== null) return all(...rules)(value, place)
    const advice = type === 'string' && typeof value !== 'object' ? 'put it in quotes' : 'change it'
    return problem(place, `this must be of type ${type}, but is ${formatValue(value)}; ${advice}`)
  }
}

/** Several rules for one value. */
export function all(...rules: readonly Rule[]): Rule {
  return (value, place) => rules.flatMap((rule) => [...rule(value, place)])
}

/** A value for which the function is true; otherwise, it is not `what`, and the hint says what to do. */
export function valid(isValid: (value: never) => boolean, hint: string, what = 'supported here'): Rule {
  return (value, place) =>
    isValid(value as never) ? [] : problem(place, `${formatValue(value)} is not ${what}; ${hint}`)
}

export function matching(pattern: RegExp, hint: string): Rule {
  return typed(
    'string',
    valid((value: string) => pattern.test(value), hint),
  )
}

export function oneOf(...values: readonly unknown[]): Rule {
  const choice = values.length === 1 ? `use ${values[0]}` : `use one of: ${values.join(', ')}`
  return valid((value) => values.includes(value), choice)
}

export function integer(minimum: number, maximum = Number.MAX_SAFE_INTEGER): Rule {
  const isValid = (value: number) => Number.isSafeInteger(value) && value >= minimum && value <= maximum
  return typed('number', valid(isValid, `use an integer from ${minimum} to ${maximum}`))
}

export interface ListOptions {
  readonly min?: number
  readonly isUnique?: boolean
  readonly hint?: string
}

export function list(item: Rule, { min = 0, isUnique, hint }: ListOptions = {}): Rule {
  return typed('array', sized(min, hint), (value, place) => {
    const items = getEntries(value)
    const isTwice = isUnique && new Set(items.map(([, each]) => each)).size < items.length
    return [
      ...(isTwice ? problem(place, `this has an entry twice; ${hint}`) : []),
      ...items.flatMap(([index, each]) => [...item(each, within(place, index))]),
    ]
  })
}

export interface MapOptions {
  readonly min?: number
  /** The advice about a key that does not match. */
  readonly hint?: string
}

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

/** True for an extension of some other tool (OpenAPI 3.1, Specification Extensions); false for a near miss of ours. */
function isForeign(name: string): boolean {
  return name.startsWith('x-') && !EXTENSIONS.includes(name) && didYouMean(name, EXTENSIONS) === ''
}

/** An object with any keys that match the pattern. */
export function map(title: string, keys: RegExp, value: Rule, { min = 0, hint }: MapOptions = {}): Rule {
  return typed('object', sized(min, hint), (object, place) =>
    getEntries(object).flatMap(([key, each]) => {
      if (keys.test(key)) return [...value(each, within(place, key))]
      return isForeign(key) ? [] : unsupported(place, key, title, '', hint)
    }),
  )
}

function sized(min: number, hint?: string): Rule {
  return (value, place) => (getEntries(value).length < min ? problem(place, `this is empty; ${hint}`) : [])
}

/** The rules for the fields of an object. A field whose name ends in "!" is required. */
export type Fields = Readonly<Record<string, Rule>>

/** An object of the standard with its supported fields, and no others. */
export function object(title: string, fields: Fields, ...rules: readonly Rule[]): Rule {
  const known = Object.keys(fields).map((name) => name.replace(/!$/, ''))
  const checkNames: Rule = (value, place) =>
    Object.keys(toObject(value))
      .filter((name) => !known.includes(name) && !isForeign(name))
      .flatMap((name) => unsupported(place, name, title, didYouMean(name, known)))
  return typed('object', checkNames, members(title, fields), ...rules)
}

/** Some of the fields of an object. */
export function members(title: string, fields: Fields): Rule {
  const rules = Object.entries(fields).map(([name, rule]) => ({ name: name.replace(/!$/, ''), key: name, rule }))
  return (value, place) =>
    rules.flatMap(({ name, key, rule }) => {
      const values = toObject(value)
      if (Object.hasOwn(values, name)) return [...rule(values[name], within(place, name))]
      return name === key ? [] : problem(place, `${title} needs "${name}"; add it`)
    })
}

/** Two fields that exclude each other. */
export function exclusive(one: string, other: string): Rule {
  return (value, place) =>
    one in toObject(value) && other in toObject(value)
      ? problem(place, `"${one}" and "${other}" exclude each other; keep one of them`)
      : []
}

/** Either the object itself or a Reference Object to a component of its kind. */
export function referable(kind: string, rule: Rule): Rule {
  const reference = object('Reference Object', { '$ref!': target(kind), summary: text, description: text })
  return (value, place) => ('$ref' in toObject(value) ? reference(value, place) : rule(value, place))
}

/** A reference to a component of this document. It must lead to a value, and must not refer back to itself before it does. */
export function target(kind: string): Rule {
  const pattern = new RegExp(`^#/components/${kind}/[^/]+$`)
  return typed('string', (value, place) => {
    const $ref = String(value)
    if (!pattern.test($ref)) {
      const hint = `refer to a component of this document, as "#/components/${kind}/NAME"`
      return problem(place, `${formatValue($ref)} is not supported here; ${hint}`)
    }
    if (getValueAt(place.root, $ref.slice(1)) === undefined) {
      return problem(place, `"${$ref}" does not exist; add it or correct the reference`)
    }
    return findReferences(place.root, $ref).has($ref)
      ? problem(place, `"${$ref}" refers back to itself; remove one of the references`)
      : []
  })
}

/** Finds the references that a value follows: its own, and those of the schemas that it combines. */
function findReferences(root: OpenApi, target: string): Set<string> {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    const { $ref, allOf, anyOf, oneOf } = toObject(value)
    for (const [, part] of [allOf, anyOf, oneOf].flatMap(getEntries)) visit(part)
    if (typeof $ref !== 'string' || found.has($ref)) return
    found.add($ref)
    visit(getValueAt(root, $ref.slice(1)))
  }
  visit(getValueAt(root, target.slice(1)))
  return found
}

export function problem({ pointer }: Place, message: string): Problem[] {
  return [{ pointer, message }]
}

export function within(place: Place, key: string): Place {
  return { ...place, pointer: place.pointer + toPointer(key) }
}

function unsupported(
  place: Place,
  name: string,
  title: string,
  guess: string,
  hint = 'remove or correct it',
): Problem[] {
  return problem(within(place, name), `"${name}" is not supported in ${title}${guess}; ${hint}`)
}

/** Formats a value of the document; of an object or array, only its type. */
function formatValue(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(JSON.stringify(value, toNumber))
}

function toNumber(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}
