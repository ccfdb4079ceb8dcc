/** The schemas of a document, for all other folders: each compiled into a function that validates and converts, and into a view. */
import type { ErrorObject } from 'ajv'
import type { Direction, OpenApi, Schema } from '../document/model.ts'
import { createContext } from './context.ts'
import { createConverterCompiler } from './converter.ts'
import { createTextFormats, type Formats } from './formats.ts'
import { toStandardError } from './keywords.ts'
import type { SchemaViews } from './selection.ts'
import type { Int64Type } from './types.ts'
import { createValidationRun, TooComplexError } from './validation-run.ts'
import { createValidatorCompiler } from './validator-compiler.ts'
import { createStaticViews } from './views.ts'

/**
 * Compiles a schema. In a request, a property that is `readOnly` is neither accepted nor required. In a response, a property that is
 * `writeOnly` is neither validated nor required. Without a direction, `readOnly` and `writeOnly` have no effect. Responses are not
 * converted.
 */
export interface SchemaCompiler {
  (schema: Schema, direction?: Direction): Validate
  readonly views: SchemaViews
}

/** What an app decides about the schemas of its document. */
export interface SchemaOptions {
  /**
   * What handlers receive and return as an integer with `format: int64`: by default, a `bigint`. With `number`, an integer beyond
   * ±(2^53 - 1) is a 400 in a request and a 500 in a response, because a number does not hold it exactly.
   */
  readonly int64?: Int64Type | undefined
  /**
   * For each format that the app defines, the function that returns true for the valid texts: `{ iban: (text) => isIban(text) }`.
   * It is called for strings alone, and with any text that a client sends. An error that it throws is a 500.
   */
  readonly formats?: Formats | undefined
}

/** Validates a value, and converts it: in place, where it is an object or array. */
export type Validate = (value: unknown) => Validated

/**
 * Either the value, with defaults filled in and every int64 converted, or its first errors: at most one more than a message lists.
 */
export type Validated = { readonly value: unknown } | { readonly errors: readonly ErrorObject[] }

/** Creates the compiler of a document's schemas. */
export function createSchemaCompiler(
  root: OpenApi,
  { int64 = 'bigint', formats = {} }: SchemaOptions = {},
): SchemaCompiler {
  if (!['bigint', 'number'].includes(int64)) throw new Error('the option int64 is neither "bigint" nor "number"')
  const run = createValidationRun()
  const staticViews = createStaticViews(root, int64)
  const { getValidator, views } = createValidatorCompiler(root, staticViews, createTextFormats(formats), run)
  const compileRequestConverter = createConverterCompiler(root, views, 'request')
  const compileUndirectedConverter = createConverterCompiler(root, views, undefined)

  function compileConverter(schema: Schema, direction: Direction | undefined) {
    if (direction === 'response') return undefined
    const compile = direction === 'request' ? compileRequestConverter : compileUndirectedConverter
    return compile(views.get(schema))
  }

  function compileValidator(schema: Schema, direction?: Direction): Validate {
    const findErrors = getValidator(schema, createContext(direction))
    const converter = compileConverter(schema, direction)

    function validate(value: unknown): Validated {
      const errors = findErrors(value)
      if (errors !== undefined) return { errors: errors.map(toStandardError) }
      if (converter === undefined) return { value }
      const conversionErrors: ErrorObject[] = []
      const convertedValue = converter.run(value, conversionErrors)
      return conversionErrors.length > 0 ? { errors: conversionErrors } : { value: convertedValue }
    }

    return (value) => {
      try {
        return run.runBounded(value, validate)
      } catch (error) {
        if (error instanceof TooComplexError) return { errors: [COMPLEXITY_ERROR] }
        throw error
      }
    }
  }

  return Object.assign(compileValidator, { views })
}

/** The only error in a value that takes too long to validate. */
const COMPLEXITY_ERROR: ErrorObject = { keyword: 'complexity', instancePath: '', schemaPath: '', params: {} }
