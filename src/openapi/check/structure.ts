/**
 * Holds a document to what the engine honours: every field known, every value of its kind, every reference leading
 * somewhere, every schema coherent.
 */
import { Ajv2020, type ErrorObject, type FuncKeywordDefinition } from 'ajv/dist/2020.js'
import type { DataValidateFunction } from 'ajv/dist/types/index.js'
import addFormats from 'ajv-formats'
import type { Problem } from '../document.ts'
import type { OpenApi, Schema } from '../model.ts'
import { didYouMean } from '../nearest.ts'
import { pointerTo } from '../pointer.ts'
import { isReference, valueAt } from '../references.ts'
import { createSchemaCompiler, type SchemaCompiler } from '../request/compiler.ts'
import { mapValues } from '../schemas.ts'
import { HONOURED } from './honoured.ts'
import { checkSchema } from './schema.ts'

/** What is wrong with a property, as `[property, what is wrong; what to do]`; the property '' is the value itself. */
type Finding = readonly [string, string]

/** What of the document's structure is not valid OpenAPI 3.1, or is but not honoured. */
export function checkStructure(root: OpenApi): Problem[] {
  const options = { allErrors: true, verbose: true, validateSchema: false, strict: false }
  // What runs once is not worth optimising.
  const ajv = new Ajv2020({ ...options, code: { optimize: false } })
  addFormats.default(ajv, ['date', 'regex'])
  ajv.addKeyword(finding('leads', 'string', (target: string) => checkReference(root, target)))
  let compile: SchemaCompiler | undefined
  const compileOnce: SchemaCompiler = (schema) => {
    compile ??= createSchemaCompiler(root)
    return compile(schema)
  }
  ajv.addKeyword(finding('coherent', 'object', (schema: Schema) => checkSchema(schema, compileOnce)))
  const validate = ajv.compile(HONOURED)
  // JSON Schema knows no bigint; how exact a number is does not matter to the structure.
  return validate(approximate(root)) ? [] : (validate.errors ?? []).flatMap(problemOf)
}

/** A keyword that says what the function finds in the value. */
function finding<Value>(
  keyword: string,
  type: 'string' | 'object',
  find: (value: Value) => readonly Finding[],
): FuncKeywordDefinition {
  const compile = () => {
    const validate: DataValidateFunction = (value) => {
      validate.errors = find(value).map(([property, message]) => ({ keyword, message, params: { property } }))
      return validate.errors.length === 0
    }
    return validate
  }
  return { keyword, type, errors: true, compile }
}

/** A reference must lead to something that is not itself, over however many steps. */
function checkReference(root: OpenApi, target: string): Finding[] {
  const seen = new Set<string>()
  for (let next = target; ; ) {
    if (seen.has(next)) return [['', `"${target}" leads in a circle; let one of its references lead to an object`]]
    seen.add(next)
    const value = valueAt(root, next.slice(1))
    if (value === undefined) return [['', `"${next}" leads nowhere; add what it names or correct it`]]
    if (typeof value !== 'object' || value === null || !isReference(value)) return []
    next = String(value.$ref)
  }
}

/** One sentence for each error of the schema that a person can do something about. */
function problemOf(error: ErrorObject): Problem[] {
  const { instancePath: pointer, keyword, params, data } = error
  const { title = 'this object' } = (error.parentSchema ?? {}) as { title?: string }
  switch (keyword) {
    case 'if':
      return [] // What is wrong in the branch has its own error.
    case 'required':
      return [{ pointer, message: `${title} needs "${params.missingProperty}"; add it` }]
    case 'additionalProperties': {
      const name = params.additionalProperty as string
      const message = `"${name}" is not honoured in ${title}${didYouMean(name, namesIn(error))}; remove or correct it`
      return [{ pointer: pointer + pointerTo(name), message }]
    }
    case 'enum':
      return [
        {
          pointer,
          message: `${JSON.stringify(data)} is not honoured here; use one of: ${params.allowedValues.join(', ')}`,
        },
      ]
    case 'const':
      return [{ pointer, message: `${JSON.stringify(data)} is not honoured here; use ${params.allowedValue}` }]
    case 'pattern':
      return [{ pointer, message: `${JSON.stringify(data)} is not honoured here; it must match ${params.pattern}` }]
    case 'leads':
    case 'coherent':
      return [{ pointer: pointer + (params.property && pointerTo(params.property)), message: error.message as string }]
    default:
      return [{ pointer, message: `it ${error.message}, or is not honoured otherwise; change it` }]
  }
}

function namesIn({ parentSchema }: ErrorObject): string[] {
  return Object.keys((parentSchema as { properties?: object }).properties ?? {})
}

function approximate(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(approximate)
  return typeof value === 'object' && value !== null ? mapValues({ ...value }, approximate) : value
}
