/**
 * Checks the structure of a document: every field is supported, every value has its type, every reference is resolvable,
 * every schema is valid.
 */
import { Ajv2020, type ErrorObject, type FuncKeywordDefinition } from 'ajv/dist/2020.js'
import type { DataValidateFunction, DataValidationCxt } from 'ajv/dist/types/index.js'
import addFormats from 'ajv-formats'
import { didYouMean } from '../did-you-mean.ts'
import type { Problem } from '../document/load.ts'
import type { Header, OpenApi, Parameter, Schema } from '../document/model.ts'
import { getValueAt, toPointer } from '../document/references.ts'
import { mapValues } from '../document/schemas.ts'
import { createSchemaCompiler, type SchemaCompiler } from '../schema/compiler.ts'
import { getEntries, toObject } from './find.ts'
import { checkSchema } from './schema.ts'
import { checkSerializable } from './serializable.ts'
import { SUPPORTED } from './supported.ts'

/** Finds what is not valid OpenAPI 3.1, and what is valid but not supported. */
export function checkStructure(root: OpenApi): Problem[] {
  const options = { allErrors: true, verbose: true, validateSchema: false, strict: false }
  // The validator runs once, so optimizing its code does not pay.
  const ajv = new Ajv2020({ ...options, code: { optimize: false } })
  addFormats.default(ajv, ['date', 'email', 'uri-reference'])
  let compile: SchemaCompiler | undefined
  const compileOnce: SchemaCompiler = (schema) => {
    compile ??= createSchemaCompiler(root)
    return compile(schema)
  }
  ajv.addKeyword(createKeyword(root, 'resolvableRef', 'string', (target) => checkReference(root, String(target))))
  ajv.addKeyword(
    createKeyword(root, 'validSchema', 'object', (schema) => checkSchema(root, schema as Schema, compileOnce)),
  )
  ajv.addKeyword(
    createKeyword(root, 'serializable', 'object', (object) => checkSerializable(root, object as Parameter | Header)),
  )
  const validate = ajv.compile(SUPPORTED)
  // Ajv has no bigint, and the structure does not depend on the exact value of a number.
  validate(approximate(root))
  return (validate.errors ?? []).flatMap(toProblems)
}

/** Makes a keyword for a check that JSON Schema cannot express. Its problems have pointers relative to the value. */
function createKeyword(
  root: OpenApi,
  keyword: string,
  type: 'object' | 'string',
  check: (value: unknown) => Iterable<Problem>,
): FuncKeywordDefinition {
  const compile = () => {
    const validate: DataValidateFunction = (_value, context) => {
      const problems = [...check(getValueAt(root, (context as DataValidationCxt).instancePath))]
      validate.errors = problems.map((problem) => ({ keyword, params: { problem } }))
      return problems.length === 0
    }
    return validate
  }
  return { keyword, type, errors: true, compile }
}

/** A reference must lead to a value, and must not refer back to itself before it does. */
function* checkReference(root: OpenApi, target: string): Iterable<Problem> {
  if (!target.startsWith('#/')) return
  if (getValueAt(root, target.slice(1)) === undefined) {
    yield { pointer: '', message: `"${target}" does not exist; add it or correct the reference` }
  } else if (findReferences(root, target).has(target)) {
    const message = `"${target}" refers back to itself; remove one of the references`
    yield { pointer: '', message }
  }
}

/** Finds the references that a value follows: its own, and those of the schemas that it combines. */
function findReferences(root: OpenApi, target: string): Set<unknown> {
  const found = new Set<unknown>()
  const visit = (value: unknown): void => {
    const { $ref, allOf, anyOf, oneOf } = toObject(value)
    for (const part of [allOf, anyOf, oneOf].flatMap(getEntries)) visit(part[1])
    if (typeof $ref !== 'string' || found.has($ref)) return
    found.add($ref)
    visit(getValueAt(root, $ref.slice(1)))
  }
  visit(getValueAt(root, target.slice(1)))
  return found
}

/** Describes an error of the validator in a sentence; none for an error that another one explains. */
function toProblems(error: ErrorObject): Problem[] {
  const { instancePath: pointer, keyword, params, data } = error
  const { title = 'this object', hint } = (error.parentSchema ?? {}) as { title?: string; hint?: string }
  switch (keyword) {
    case 'if':
      return [] // The branch has its own error.
    case 'resolvableRef':
    case 'validSchema':
    case 'serializable': {
      const { problem } = params as { problem: Problem }
      return [{ pointer: pointer + problem.pointer, message: problem.message }]
    }
    case 'not':
      return [{ pointer, message: String(hint) }]
    case 'required':
      return [{ pointer, message: `${title} needs "${params.missingProperty}"; add it` }]
    case 'additionalProperties': {
      const name = params.additionalProperty as string
      const guess = didYouMean(name, getPropertyNames(error))
      const message = `"${name}" is not supported in ${title}${guess}; ${hint ?? 'remove or correct it'}`
      return [{ pointer: pointer + toPointer(name), message }]
    }
    case 'enum': {
      const { allowedValues: values } = params as { allowedValues: unknown[] }
      const choice = values.length === 1 ? values[0] : `one of: ${values.join(', ')}`
      return [{ pointer, message: `${formatValue(data)} is not supported here; use ${choice}` }]
    }
    case 'const':
      return [{ pointer, message: `${formatValue(data)} is not supported here; use ${params.allowedValue}` }]
    case 'pattern':
      return [{ pointer, message: `${formatValue(data)} is not supported here; ${hint}` }]
    case 'format':
      return [{ pointer, message: `${formatValue(data)} is not ${FORMATS[params.format]}; ${hint}` }]
    case 'type': {
      const isUnquoted = params.type === 'string' && typeof data !== 'object'
      const message = `this must be of type ${params.type}, but is ${formatValue(data)}`
      return [{ pointer, message: `${message}; ${isUnquoted ? 'put it in quotes' : 'change it'}` }]
    }
    default:
      return [{ pointer, message: `this ${LIMITS[keyword] ?? error.message}; ${hint}` }]
  }
}

/** The formats in `SUPPORTED`, as messages name them. */
const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date',
  email: 'an email address',
  'uri-reference': 'a URL',
}

const LIMITS: Readonly<Record<string, string>> = {
  minItems: 'is empty',
  minLength: 'is empty',
  minProperties: 'is empty',
  maxItems: 'has too many entries',
  maxProperties: 'has too many entries',
  uniqueItems: 'has an entry twice',
}

/** Formats a value of the document; of a long one, only its type. */
function formatValue(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value)
}

function getPropertyNames({ parentSchema }: ErrorObject): string[] {
  return Object.keys((parentSchema as { properties?: object }).properties ?? {})
}

function approximate(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(approximate)
  return typeof value === 'object' && value !== null ? mapValues({ ...value }, approximate) : value
}
