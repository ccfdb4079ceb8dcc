/**
 * Compiles schemas into error finders, by Ajv. A schema that others refer to is compiled by itself, at its first use. To validate a
 * body of `{ properties: { pet: { $ref: "#/components/schemas/Pet" } } }`, these functions call each other:
 *
 *     run.findErrors          counts the evaluation (validation-run.ts)
 *       validate              the function that Ajv compiled of the body's schema
 *         createValidate      our keyword `errorFinders`, at `pet` (error-finders.ts)
 *           run.findErrors
 *             validate        the function that Ajv compiled of Pet
 */
import type { ValidateFunction } from 'ajv'
import type { OpenApi, Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import { createSchemaSearch, toSchema } from '../document/subschemas.ts'
import { createAjv } from './ajv.ts'
import { type SchemaContext, UNDIRECTED } from './context.ts'
import type { ErrorFinder, GetErrorFinder } from './error-finders.ts'
import type { TextFormats } from './formats.ts'
import { MAX_LISTED } from './keywords.ts'
import { createPrepare } from './prepare.ts'
import type { ValidationRun } from './validation-run.ts'
import type { SchemaViews } from './view.ts'

/** The most contexts of a schema whose error finders are kept: clients combine the branches that decide which names are hidden. */
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
    if (isMereReference) return getErrorFinder(toSchema(getReferences(root).getTarget(schema.$ref as string)), context)
    // A schema without readOnly and writeOnly, at any depth, has one finder for both directions.
    const dependsOnContext =
      context.hiddenNames.length > 0 ||
      context.maxLength !== undefined ||
      (context.direction !== undefined && hasDirections(schema))
    const contextInUse = dependsOnContext ? context : UNDIRECTED
    const key = JSON.stringify(contextInUse)
    const findersByContext = findersBySchema.get(schema) ?? new Map<string, ErrorFinder>()
    findersBySchema.set(schema, findersByContext)
    const cachedFinder = findersByContext.get(key)
    if (cachedFinder !== undefined) return cachedFinder
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
    // The second argument is Ajv's data context, of which prepared schemas need only `instancePath`.
    if (validate(value, location as never)) return undefined
    // Otherwise, the number of errors may double with each level of a value.
    return validate.errors?.slice(0, MAX_LISTED + 1) ?? []
  }

  return (value, location) =>
    typeof value === 'object' && value !== null
      ? run.findErrors(findErrors, value, location)
      : findErrors(value, location)
}
