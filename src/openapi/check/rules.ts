/**
 * The parts of `supported.ts`. A rule reports what is wrong with a value of a document by itself; it may be of any type.
 * A check compares values with each other. It relies on the types of `model.ts`, and on references that lead somewhere: what
 * it finds near a value that a rule has reported does not count.
 */
import { COMBINATORS, type OpenApi, type SchemaType } from '../document/model.ts'
import type { Problem } from '../document/parse.ts'
import { getEntries, getValueAt, toObject, toPointer, type Values } from '../document/references.ts'
import { getType } from '../json.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { didYouMean } from '../schema/violations.ts'

export type Rule<Value = unknown> = (value: Value, place: Place) => void

/** The place of a value in a document, and what rules and checks need besides the value. */
export interface Place {
  readonly root: OpenApi
  readonly compile: SchemaCompiler
  at(...tokens: readonly (string | number)[]): Place
  /** Adds a problem: `what is wrong; what to do`. */
  report(message: string): void
  /** Runs a check after all rules. */
  later(check: () => void): void
}

/** Applies a rule to a document, and then its checks. Returns the problems. */
export function inspect(rule: Rule, root: OpenApi, compile: SchemaCompiler): Problem[] {
  const problems: Problem[] = []
  const checks: (() => void)[] = []
  const createPlace = (pointer: string): Place => ({
    root,
    compile,
    at: (...tokens) => createPlace(pointer + toPointer(...tokens)),
    report: (message) => void problems.push({ pointer, message }),
    later: (check) => void checks.push(check),
  })
  rule(root, createPlace(''))
  const reported = problems.splice(0)
  for (const check of checks) {
    try {
      check()
    } catch (error) {
      // It has met a value that a rule has reported.
      if (reported.length === 0) throw error
    }
  }
  const others = problems.filter(({ pointer }) => !reported.some((each) => mayFollow(pointer, each.pointer)))
  return [...reported, ...others]
}

/** True if a problem may follow from one that a rule has reported: it is at the same value or within, around or beside it. */
function mayFollow(pointer: string, reported: string): boolean {
  const parent = getParent(reported)
  return `${pointer}/`.startsWith(`${reported}/`) || pointer === parent || getParent(pointer) === parent
}

function getParent(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'))
}

export const any: Rule = () => {}
export const text = typed('string')
export const flag = typed('boolean')
export const number = typed('number')

/** A value of a type, which satisfies further rules. */
export function typed(type: SchemaType, ...rules: readonly Rule<never>[]): Rule {
  return (value, place) => {
    if (getType(value) === type) {
      for (const rule of rules) rule(value as never, place)
    } else {
      const advice = type === 'string' && typeof value !== 'object' ? 'put it in quotes' : 'change it'
      place.report(`this must be of type ${type}, but is ${formatValue(value)}; ${advice}`)
    }
  }
}

/** A value for which the function is true; otherwise, it is not `what`, and the hint says what to do. */
export function valid<Value>(isValid: (value: Value) => boolean, hint: string, what = 'supported here'): Rule<Value> {
  return (value, place) => {
    if (!isValid(value)) place.report(`${formatValue(value)} is not ${what}; ${hint}`)
  }
}

export function matching(pattern: RegExp, hint: string): Rule {
  const isValid = (value: string) => pattern.test(value)
  return typed('string', valid(isValid, hint))
}

/** One of these values. */
export function choice(...values: readonly unknown[]): Rule {
  return valid((value) => values.includes(value), `use ${values.length > 1 ? 'one of: ' : ''}${values.join(', ')}`)
}

export function integer(minimum: number, maximum = Number.MAX_SAFE_INTEGER): Rule {
  const isValid = (value: number) => Number.isSafeInteger(value) && value >= minimum && value <= maximum
  return typed('number', valid(isValid, `use an integer from ${minimum} to ${maximum}`))
}

export function list(item: Rule, ...rules: readonly Rule<never>[]): Rule {
  return typed('array', ...rules, (items: readonly unknown[], place) => {
    for (const [index, each] of items.entries()) item(each, place.at(index))
  })
}

/** An object whose keys match the pattern; the hint is for those that do not. */
export function map(title: string, keys: RegExp, value: Rule, hint = '', ...rules: readonly Rule<never>[]): Rule {
  return typed('object', ...rules, (object: Values, place) => {
    for (const [key, each] of getEntries(object)) {
      if (keys.test(key)) value(each, place.at(key))
      else if (!isThirdPartyExtension(key)) place.at(key).report(`"${key}" is not supported in ${title}; ${hint}`)
    }
  })
}

/** A list or map that is not empty; extensions in it do not count. */
export function filled(hint: string): Rule<object> {
  return (values, place) => {
    if (Object.keys(values).every((name) => name.startsWith('x-'))) place.report(`this is empty; ${hint}`)
  }
}

/** The rules for the fields of an object. A field whose name ends in "!" is required. */
export type Fields = Readonly<Record<string, Rule>>

/** An object of the standard with its supported fields, and no others. */
export function object(title: string, fields: Fields, ...checks: readonly Rule<never>[]): Rule {
  const rules = new Map(Object.entries(fields).map(([key, rule]) => [key.replace('!', ''), rule]))
  const known = [...rules.keys()]
  const required = known.filter((name) => `${name}!` in fields)
  for (const name of known.filter((each) => each.startsWith('x-'))) extensions.add(name)
  return typed('object', ...checks.map(checked), (values: Values, place) => {
    const unknown = Object.keys(values).filter((name) => !rules.has(name) && !isThirdPartyExtension(name))
    const missing = required.filter((name) => !Object.hasOwn(values, name)).map((name) => `"${name}"`)
    const needs = missing.length > 0 ? `needs ${missing.join(' and ')}` : ''
    for (const name of unknown) {
      const advice = ADVICE.get(name) ?? 'remove or correct it'
      const hint = didYouMean(name, known) || (needs && `, which ${needs}`)
      place.at(name).report(`"${name}" is not supported in ${title}${hint}; ${advice}`)
    }
    // An unknown field may stand for one that is missing: they are one problem.
    if (needs && unknown.length === 0) place.report(`${title} ${needs}; add ${missing.length > 1 ? 'them' : 'it'}`)
    for (const [name, rule] of rules) if (Object.hasOwn(values, name)) rule(values[name], place.at(name))
  })
}

const ADVICE = new Map([
  ['readOnly', 'write one schema for requests and one for responses'],
  ['writeOnly', 'write one schema for requests and one for responses'],
  ['nullable', 'add "null" to the type'],
  ['discriminator', 'remove it, and tell the alternatives apart by a "const" in each'],
])

/** An object whose field `key` decides which rule it must satisfy. */
export function variants(title: string, key: string, rulesByValue: Readonly<Record<string, Rule>>): Rule {
  const rules = new Map(Object.entries(rulesByValue))
  return typed('object', (values: Values, place) => {
    const rule = rules.get(String(values[key]))
    if (rule !== undefined) rule(values, place)
    else if (key in values) choice(...rules.keys())(values[key], place.at(key))
    else place.report(`${title} needs "${key}"; add it`)
  })
}

/** The fields that this service adds to the standard. */
const extensions = new Set<string>()

/** True for an extension of some other tool (OpenAPI 3.1, Specification Extensions); false for a misspelling of one of ours. */
function isThirdPartyExtension(name: string): boolean {
  return name.startsWith('x-') && !extensions.has(name) && didYouMean(name, [...extensions]) === ''
}

/** A value that passes a check, which compares it with others. */
export function checked(check: Rule<never>): Rule<never> {
  return (value, place) => place.later(() => check(value, place))
}

/** Either an object of the standard or a Reference Object to a component of its kind. */
export function referable(kind: string, rule: Rule): Rule {
  const reference = object('Reference Object', { '$ref!': target(kind), summary: text, description: text })
  return (value, place) => ('$ref' in toObject(value) ? reference : rule)(value, place)
}

/** A reference to a component of this document. It must lead to a value, and must not refer back to itself before it does. */
export function target(kind: string): Rule {
  const pattern = new RegExp(`^#/components/${kind}/[^/]+$`)
  return typed('string', ($ref: string, place) => {
    if (!pattern.test($ref)) {
      const hint = `refer to a component of this document, as "#/components/${kind}/NAME"`
      place.report(`${formatValue($ref)} is not supported here; ${hint}`)
    } else if (getValueAt(place.root, $ref.slice(1)) === undefined) {
      place.report(`"${$ref}" does not exist; add it or correct the reference`)
    } else if (findReferences(place.root, $ref).has($ref)) {
      place.report(`"${$ref}" refers back to itself without an object between; remove one of the references`)
    }
  })
}

/** Finds the references that a value follows: its own, and those of its items and of the schemas that it combines. */
function findReferences(root: OpenApi, target: string): Set<string> {
  const found = new Set<string>()
  // The iteration includes what is added during it.
  const values = new Set([getValueAt(root, target.slice(1))])
  for (const value of values) {
    const { $ref, items, ...others } = toObject(value)
    // TypeScript has no type for an array of itself.
    values.add(items)
    for (const keyword of COMBINATORS) for (const part of Object.values(toObject(others[keyword]))) values.add(part)
    if (typeof $ref !== 'string') continue
    found.add($ref)
    values.add(getValueAt(root, $ref.slice(1)))
  }
  return found
}

/** Finds the items with the same key as one before, each with that. */
export function* findRepeated<Item>(
  items: readonly Item[],
  getKey: (item: Item) => unknown,
): Iterable<[item: Item, other: Item]> {
  const seen = new Map<unknown, Item>()
  for (const item of items) {
    const key = getKey(item)
    const other = seen.get(key)
    if (other !== undefined) yield [item, other]
    seen.set(key, item)
  }
}

/** Formats a value of the document; of an object or array, only its type. */
function formatValue(value: unknown): string {
  if (value !== null && typeof value === 'object') return `an ${getType(value)}`
  return JSON.stringify(typeof value === 'bigint' ? Number(value) : value)
}
