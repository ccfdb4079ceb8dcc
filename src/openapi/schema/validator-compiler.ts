/**
 * Compiles schemas into validators, by Ajv. A schema that others refer to is compiled by itself, at the first value, so that schemas may
 * refer to each other in circles, or in long chains: the function of one calls the validator of another by our keyword `validators`.
 */
import type { ValidateFunction } from 'ajv'
import type { OpenApi, Schema } from '../document/model.ts'
import { createJoinIds } from '../document/values.ts'
import { createAjv } from './ajv.ts'
import { BoundedCache } from './bounded-cache.ts'
import { MAX_CONTEXTS, type SchemaContext, UNDIRECTED } from './context.ts'
import type { TextFormats } from './formats.ts'
import { getErrors } from './keywords.ts'
import { createPrepare } from './prepare.ts'
import { createSelection, type SchemaViews } from './selection.ts'
import type { ValidationRun } from './validation-run.ts'
import { type GetValidator, MAX_LISTED, type Validator } from './validator.ts'
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
  // These three use each other. That works because a validator is compiled at its first value, when all three exist.
  const views: SchemaViews = { ...staticViews, ...createSelection(staticViews, getValidator, run) }
  const prepare = createPrepare(root, views, getValidator)

  function getValidator(schemaOrReference: Schema, context: SchemaContext): Validator {
    // The view has the target of a schema that is only a `$ref`.
    const { schema } = staticViews.get(schemaOrReference)
    const effectiveContext = dependsOn(schema, context) ? context : UNDIRECTED
    const key = JSON.stringify({ ...effectiveContext, hidingViews: joinIds(effectiveContext.hidingViews) })
    const validatorsByContext = validatorsBySchema.get(schema) ?? new BoundedCache<string, Validator>(MAX_CONTEXTS)
    validatorsBySchema.set(schema, validatorsByContext)
    return validatorsByContext.get(key, () => createValidator(run, () => compileByAjv(schema, effectiveContext)))
  }

  /** True if the context can change the result. Otherwise, both directions share a validator. */
  function dependsOn(
    schema: Schema,
    { direction, hiddenNames, hidingViews, maxLength, maxNameLength }: SchemaContext,
  ): boolean {
    const hasLimits = maxLength < Infinity || maxNameLength < Infinity
    const isHiding = hiddenNames.length > 0 || hidingViews.length > 0
    return hasLimits || isHiding || (direction !== undefined && staticViews.hasMarks(schema))
  }

  function compileByAjv(schema: Schema, context: SchemaContext): ValidateFunction {
    // Replace the Ajv after some schemas: it keeps each, and clients choose combinations. Validators in use keep what they need of it.
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
    // Take only as many errors as messages list: their number may double with each level of a value.
    return getErrors(validateByAjv, MAX_LISTED + 1)
  }

  return (value) => (typeof value === 'object' && value !== null ? run.validate(validate, value) : validate(value))
}
