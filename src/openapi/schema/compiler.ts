/** Compiles the schemas of a document: into validators, which convert valid values, and into views for everything else. */
import type { ErrorObject } from 'ajv'
import type { Direction, OpenApi, Schema } from '../document/model.ts'
import { createConverterCompiler } from './converter.ts'
import { createValidatorCompiler, TOO_COMPLEX } from './validator.ts'
import { SchemaViews } from './view.ts'

/** Either the value, with defaults filled in and every int64 as bigint, or the first errors in it: a message lists ten. */
export type Validated = { readonly value: unknown } | { readonly errors: readonly ErrorObject[] }

/** Validates a value, and converts it: in place, where it is an object or array. */
export type Validator = (value: unknown) => Validated

/**
 * Compiles a schema. In a request, a property that is `readOnly` is neither accepted nor required. In a response, one that is
 * `writeOnly` is neither validated nor required, and nothing is converted. Without a direction, both are like others.
 */
export interface SchemaCompiler {
  (schema: Schema, direction?: Direction): Validator
  readonly views: SchemaViews
}

/** Creates the compiler of a document's schemas. */
export function createSchemaCompiler(root: OpenApi): SchemaCompiler {
  // Views ask validators which branches a value satisfies, and validators ask views what a schema says.
  const views = new SchemaViews(root, {
    isValid: (...args) => validators.validation.isValid(...args),
    within: (...args) => validators.validation.within(...args),
  })
  const validators = createValidatorCompiler(root, views)
  const compileRequestConverter = createConverterCompiler(root, 'request')
  const compileConverter = createConverterCompiler(root, undefined)

  function compile(schema: Schema, direction?: Direction): Validator {
    const findErrors = validators.compile(schema, direction)
    const convert = direction === 'response' ? undefined : compileConversion(schema, direction)

    function validate(value: unknown): Validated {
      const errors = findErrors(value)
      if (errors.length > 0) return { errors }
      if (convert === undefined) return { value }
      const conversionErrors: ErrorObject[] = []
      const converted = convert(value, conversionErrors)
      return conversionErrors.length > 0 ? { errors: conversionErrors } : { value: converted }
    }

    return (value) => {
      try {
        return views.validation.within(value, () => validate(value))
      } catch (error) {
        if (error === TOO_COMPLEX) return { errors: [TOO_COMPLEX] }
        throw error
      }
    }
  }

  function compileConversion(schema: Schema, direction: 'request' | undefined) {
    return (direction === 'request' ? compileRequestConverter : compileConverter)(views.get(schema))
  }

  return Object.assign(compile, { views })
}
