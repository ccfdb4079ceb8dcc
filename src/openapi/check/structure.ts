/**
 * Holds a document to what the engine honours: every field known, every value of its kind, every reference leading
 * somewhere, every schema coherent.
 */
import { Ajv2020, type ErrorObject, type FuncKeywordDefinition } from 'ajv/dist/2020.js'
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js'
import addFormats from 'ajv-formats'
import type { Problem } from '../document.ts'
import type { Header, OpenApi, Parameter, Schema } from '../model.ts'
import { didYouMean } from '../nearest.ts'
import { pointerTo } from '../pointer.ts'
import { valueAt } from '../references.ts'
import { createSchemaCompiler, type SchemaCompiler } from '../request/compiler.ts'
import { mapValues } from '../schemas.ts'
import { entriesOf, valuesOf } from './find.ts'
import { HONOURED } from './honoured.ts'
import { checkSchema } from './schema.ts'
import { checkTextual } from './textual.ts'

/** What of the document's structure is not valid OpenAPI 3.1, or is but not honoured. */
export function checkStructure(root: OpenApi): Problem[] {
  const options = { allErrors: true, verbose: true, validateSchema: false, strict: false }
  // What runs once is not worth optimising.
  const ajv = new Ajv2020({ ...options, code: { optimize: false } })
  addFormats.default(ajv, ['date', 'email', 'uri-reference'])
  let compile: SchemaCompiler | undefined
  const compileOnce: SchemaCompiler = (schema) => {
    compile ??= createSchemaCompiler(root)
    return compile(schema)
  }
  ajv.addKeyword(checkKeyword(root, 'leads', 'string', (target) => checkReference(root, String(target))))
  ajv.addKeyword(checkKeyword(root, 'coherent', 'object', (schema) => checkSchema(root, schema as Schema, compileOnce)))
  ajv.addKeyword(checkKeyword(root, 'textual', 'object', (object) => checkTextual(root, object as Parameter | Header)))
  const validate = ajv.compile(HONOURED)
  // JSON Schema knows no bigint; how exact a number is does not matter to the structure.
  validate(approximate(root))
  return (validate.errors ?? []).flatMap(problemOf)
}

/** A keyword for what a schema cannot say: the function finds what is wrong with a value, at pointers behind its own. */
function checkKeyword(
  root: OpenApi,
  keyword: string,
  type: 'object' | 'string',
  check: (value: unknown) => Iterable<Problem>,
): FuncKeywordDefinition {
  const compile = () => {
    const validate: DataValidateFunction = (_value, context) => {
      const problems = [...check(valueAt(root, (context as DataValidationCxt).instancePath))]
      validate.errors = problems.map((problem) => ({ keyword, params: { problem } }))
      return problems.length === 0
    }
    return validate
  }
  return { keyword, type, errors: true, compile }
}

/** A reference must lead to something, and that must not lead back to it before it comes to a value. */
function* checkReference(root: OpenApi, target: string): Iterable<Problem> {
  if (!target.startsWith('#/')) return
  if (valueAt(root, target.slice(1)) === undefined) {
    yield { pointer: '', message: `"${target}" leads nowhere; add what it names or correct it` }
  } else if (referencesFrom(root, target).has(target)) {
    const message = `"${target}" leads in a circle; let it lead to something that does not refer back to it`
    yield { pointer: '', message }
  }
}

/** Where a reference leads to in turn: by itself, or as a part of a combination, which is looked at with the whole. */
function referencesFrom(root: OpenApi, target: string): Set<unknown> {
  const found = new Set<unknown>()
  const visit = (value: unknown): void => {
    const { $ref, allOf, anyOf, oneOf } = valuesOf(value)
    for (const part of [allOf, anyOf, oneOf].flatMap(entriesOf)) visit(part[1])
    if (typeof $ref !== 'string' || found.has($ref)) return
    found.add($ref)
    visit(valueAt(root, $ref.slice(1)))
  }
  visit(valueAt(root, target.slice(1)))
  return found
}

/** One sentence for each error of the schema that a person can do something about. */
function problemOf(error: ErrorObject): Problem[] {
  const { instancePath: pointer, keyword, params, data } = error
  const { title = 'this object', hint } = (error.parentSchema ?? {}) as { title?: string; hint?: string }
  switch (keyword) {
    case 'if':
      return [] // What is wrong in the branch has its own error.
    case 'leads':
    case 'coherent':
    case 'textual': {
      const { problem } = params as { problem: Problem }
      return [{ pointer: pointer + problem.pointer, message: problem.message }]
    }
    case 'not':
      return [{ pointer, message: String(hint) }]
    case 'required':
      return [{ pointer, message: `${title} needs "${params.missingProperty}"; add it` }]
    case 'additionalProperties': {
      const name = params.additionalProperty as string
      const guess = didYouMean(name, namesIn(error))
      const message = `"${name}" is not honoured in ${title}${guess}; ${hint ?? 'remove or correct it'}`
      return [{ pointer: pointer + pointerTo(name), message }]
    }
    case 'enum': {
      const { allowedValues: values } = params as { allowedValues: unknown[] }
      const choice = values.length === 1 ? values[0] : `one of: ${values.join(', ')}`
      return [{ pointer, message: `${shown(data)} is not honoured here; use ${choice}` }]
    }
    case 'const':
      return [{ pointer, message: `${shown(data)} is not honoured here; use ${params.allowedValue}` }]
    case 'pattern':
      return [{ pointer, message: `${shown(data)} is not honoured here; ${hint}` }]
    case 'format':
      return [{ pointer, message: `${shown(data)} is no ${FORMATS[params.format]}; ${hint}` }]
    case 'type': {
      const isUnquoted = params.type === 'string' && typeof data !== 'object'
      const message = `this must be of type ${params.type}, but is ${shown(data)}`
      return [{ pointer, message: `${message}; ${isUnquoted ? 'put it in quotes' : 'change it'}` }]
    }
    default:
      return [{ pointer, message: `this ${LIMITS[keyword] ?? error.message}; ${hint}` }]
  }
}

/** How messages name the formats of the honoured structure. */
const FORMATS: Readonly<Record<string, string>> = {
  date: 'date',
  email: 'mail address',
  'uri-reference': 'URL',
}

const LIMITS: Readonly<Record<string, string>> = {
  minItems: 'is empty',
  minLength: 'is empty',
  minProperties: 'is empty',
  maxItems: 'has too many entries',
  maxProperties: 'has too many entries',
  uniqueItems: 'has an entry twice',
}

/** A value of the document, or what it is where that would be long. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value)
}

function namesIn({ parentSchema }: ErrorObject): string[] {
  return Object.keys((parentSchema as { properties?: object }).properties ?? {})
}

function approximate(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(approximate)
  return typeof value === 'object' && value !== null ? mapValues({ ...value }, approximate) : value
}
