/** Compiles schemas into error finders, by Ajv. A schema that others refer to is compiled by itself, at its first use. */
import type { ValidateFunction } from 'ajv'
import type { OpenApi, Schema } from '../document/model.ts'
import { getTarget } from '../document/resolve.ts'
import { createSchemaSearch, toSchema } from '../document/subschemas.ts'
import { createAjv } from './ajv.ts'
import { type SchemaContext, UNDIRECTED } from './context.ts'
import type { ErrorFinder, GetErrorFinder } from './error-finders.ts'
import type { TextFormats } from './formats.ts'
import { MAX_LISTED } from './keywords.ts'
import { createPrepare } from './prepare.ts'
import type { ValidationRun } from './validation-run.ts'
import type { SchemaViews } from './view.ts'

/** The most contexts of a schema whose error finders are kept. */
const MAX_CONTEXTS = 100

/** Creates the compiler of error finders, which leave values as they are. */
export function createErrorFinderCompiler(
  root: OpenApi,
  views: SchemaViews,
  formats: TextFormats,
  run: ValidationRun,
): GetErrorFinder {
  const ajv = createAjv(formats)
  const hasDirections = createSchemaSearch(root, ({ readOnly, writeOnly }) => readOnly === true || writeOnly === true)
  const findersBySchema = new WeakMap<Schema, Map<string, ErrorFinder>>()
  const prepare = createPrepare(root, views, getErrorFinder)

  function getErrorFinder(schema: Schema, context: SchemaContext): ErrorFinder {
    const isMereReference = schema.$ref !== undefined && Object.keys(schema).length === 1
    if (isMereReference) return getErrorFinder(toSchema(getTarget(root, schema.$ref as string)), context)
    // Both directions share the finder of a schema without readOnly and writeOnly.
    const dependsOnContext =
      context.hiddenNames.length > 0 || (context.direction !== undefined && hasDirections(schema))
    const contextInUse = dependsOnContext ? context : UNDIRECTED
    const key = JSON.stringify(contextInUse)
    const findersByContext = findersBySchema.get(schema) ?? new Map<string, ErrorFinder>()
    findersBySchema.set(schema, findersByContext)
    const cachedFinder = findersByContext.get(key)
    if (cachedFinder !== undefined) return cachedFinder
    // Bound the memory: the branches that clients combine decide which names are hidden.
    if (findersByContext.size >= MAX_CONTEXTS) findersByContext.clear()
    const finder = createErrorFinder(run, () => compileByAjv(schema, contextInUse))
    findersByContext.set(key, finder)
    return finder
  }

  function compileByAjv(schema: Schema, context: SchemaContext): ValidateFunction {
    const preparedSchema = prepare(schema, context)
    const validate = ajv.compile(preparedSchema)
    // Otherwise, Ajv keeps each schema for ever, also those of combinations that clients choose.
    ajv.removeSchema(preparedSchema)
    return validate
  }

  return getErrorFinder
}

/** Creates an error finder that is compiled at its first use: schemas may refer to each other in circles, or in long chains. */
function createErrorFinder(run: ValidationRun, compile: () => ValidateFunction): ErrorFinder {
  let validate: ValidateFunction | undefined

  const findErrors: ErrorFinder = (value, location) => {
    validate ??= compile()
    if (validate(value, location as never)) return undefined
    // Otherwise, the number of errors may double with each level of a value.
    return validate.errors?.slice(0, MAX_LISTED + 1) ?? []
  }

  return (value, location) =>
    typeof value === 'object' && value !== null
      ? run.findErrors(findErrors, value, location)
      : findErrors(value, location)
}
