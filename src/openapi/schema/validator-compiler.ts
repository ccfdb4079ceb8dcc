/**
 * Compiles schemas into validators, by Ajv. A schema that others refer to is compiled by itself, at its first use, so that schemas may
 * refer to each other in circles, or in long chains: the function of one calls the validator of another by our keyword `validators`.
 */
import type { ValidateFunction } from 'ajv'
import type { OpenApi, Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import { toSchema } from '../document/subschemas.ts'
import { createJoinIds } from '../document/values.ts'
import { createAjv } from './ajv.ts'
import { BoundedCache } from './bounded-cache.ts'
import { MAX_CONTEXTS, type SchemaContext, UNDIRECTED } from './context.ts'
import type { TextFormats } from './formats.ts'
import { getErrors, MAX_LISTED } from './keywords.ts'
import { createPrepare } from './prepare.ts'
import { createSelection, type SchemaViews } from './selection.ts'
import type { ValidationRun } from './validation-run.ts'
import type { GetValidator, Validator } from './validator.ts'
import type { StaticViews } from './view.ts'

/** The most schemas that one Ajv compiles. */
const MAX_COMPILED = 1000

/** Creates the compiler of validators, and the selection of branches by them. */
export function createValidatorCompiler(
  root: OpenApi,
  staticViews: StaticViews,
  formats: TextFormats,
  run: ValidationRun,
): { readonly getValidator: GetValidator; readonly views: SchemaViews } {
  let ajv = createAjv(formats)
  let compiledCount = 0
  const joinIds = createJoinIds()
  const validatorsBySchema = new WeakMap<Schema, BoundedCache<string, Validator>>()
  // Selection and `prepare` get validators as well, at the first use of those that they make.
  const views: SchemaViews = { ...staticViews, ...createSelection(staticViews, getValidator, run) }
  const prepare = createPrepare(root, views, getValidator)

  function getValidator(schema: Schema, context: SchemaContext): Validator {
    const isMereReference = schema.$ref !== undefined && Object.keys(schema).length === 1
    if (isMereReference) return getValidator(toSchema(getReferences(root).getTarget(schema.$ref as string)), context)
    const contextInUse = dependsOn(schema, context) ? context : UNDIRECTED
    const key = JSON.stringify({ ...contextInUse, views: joinIds(contextInUse.views) })
    const validatorsByContext = validatorsBySchema.get(schema) ?? new BoundedCache<string, Validator>(MAX_CONTEXTS)
    validatorsBySchema.set(schema, validatorsByContext)
    return validatorsByContext.get(key, () => createValidator(run, () => compileByAjv(schema, contextInUse)))
  }

  /** False for a schema without `readOnly` and `writeOnly`, at any depth, which has one validator for both directions. */
  function dependsOn(
    schema: Schema,
    { direction, hiddenNames, views, maxLength, maxNameLength }: SchemaContext,
  ): boolean {
    const hasLimits = maxLength < Infinity || maxNameLength < Infinity
    const isHiding = hiddenNames.length > 0 || views.length > 0
    return hasLimits || isHiding || (direction !== undefined && staticViews.hasMarks(schema))
  }

  function compileByAjv(schema: Schema, context: SchemaContext): ValidateFunction {
    // Ajv keeps each schema and what its code refers to, also those of combinations that clients choose: begin anew at times.
    if (++compiledCount % MAX_COMPILED === 0) ajv = createAjv(formats)
    return ajv.compile(prepare(schema, context))
  }

  return { getValidator, views }
}

/** Creates a validator that is compiled at its first use. */
function createValidator(run: ValidationRun, compile: () => ValidateFunction): Validator {
  let validateByAjv: ValidateFunction | undefined

  const validate: Validator = (value) => {
    validateByAjv ??= compile()
    if (validateByAjv(value)) return undefined
    // Otherwise, the number of errors may double with each level of a value.
    return getErrors(validateByAjv, MAX_LISTED + 1)
  }

  return (value) => (typeof value === 'object' && value !== null ? run.validate(validate, value) : validate(value))
}
