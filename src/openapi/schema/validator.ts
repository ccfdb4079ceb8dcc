/**
 * Compiles schemas into error finders, by Ajv. A schema that others refer to is compiled by itself, at its first use. To validate a
 * body of `{ properties: { pet: { $ref: "#/components/schemas/Pet" } } }`, these functions call each other:
 *
 *     run.findErrors          counts the evaluation (validation-run.ts)
 *       validate              the function that Ajv compiled of the body's schema
 *         errorFinders        our keyword, at `pet` (keywords.ts)
 *           run.findErrors
 *             validate        the function that Ajv compiled of Pet
 */
import type { ValidateFunction } from 'ajv'
import type { OpenApi, Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import { createSchemaSearch, toSchema } from '../document/subschemas.ts'
import { createAjv } from './ajv.ts'
import { BoundedCache } from './bounded-cache.ts'
import { type SchemaContext, UNDIRECTED } from './context.ts'
import type { ErrorFinder, GetErrorFinder } from './error-finder.ts'
import type { TextFormats } from './formats.ts'
import { getErrors, MAX_LISTED } from './keywords.ts'
import { createPrepare } from './prepare.ts'
import { createSelection, type SchemaViews } from './selection.ts'
import type { ValidationRun } from './validation-run.ts'
import type { StaticViews } from './view.ts'

/** The most schemas that one Ajv compiles. */
const MAX_COMPILED = 1000
/** The contexts of a schema whose error finders are kept: clients combine the branches that decide which names are hidden. */
const MAX_CONTEXTS = 100

/** Creates the compiler of error finders, which leave values as they are, and the selection of branches by them. */
export function createErrorFinderCompiler(
  root: OpenApi,
  staticViews: StaticViews,
  formats: TextFormats,
  run: ValidationRun,
): { readonly getErrorFinder: GetErrorFinder; readonly views: SchemaViews } {
  let ajv = createAjv(formats)
  let compiledCount = 0
  const hasDirections = createSchemaSearch(root, ({ readOnly, writeOnly }) => readOnly === true || writeOnly === true)
  const findersBySchema = new WeakMap<Schema, BoundedCache<string, ErrorFinder>>()
  const views: SchemaViews = { ...staticViews, ...createSelection(staticViews, getErrorFinder, run) }
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
    const findersByContext = findersBySchema.get(schema) ?? new BoundedCache<string, ErrorFinder>(MAX_CONTEXTS)
    findersBySchema.set(schema, findersByContext)
    return findersByContext.get(key, () => createErrorFinder(run, () => compileByAjv(schema, contextInUse)))
  }

  function compileByAjv(schema: Schema, context: SchemaContext): ValidateFunction {
    // Ajv keeps each schema and what its code refers to, also those of combinations that clients choose: begin anew at times.
    if (++compiledCount % MAX_COMPILED === 0) ajv = createAjv(formats)
    return ajv.compile(prepare(schema, context))
  }

  return { getErrorFinder, views }
}

/** Creates an error finder that is compiled at its first use: schemas may refer to each other in circles, or in long chains. */
function createErrorFinder(run: ValidationRun, compile: () => ValidateFunction): ErrorFinder {
  let validate: ValidateFunction | undefined

  const findErrors: ErrorFinder = (value) => {
    validate ??= compile()
    if (validate(value)) return undefined
    // Otherwise, the number of errors may double with each level of a value.
    return getErrors(validate).slice(0, MAX_LISTED + 1)
  }

  return (value) =>
    typeof value === 'object' && value !== null ? run.findErrors(findErrors, value) : findErrors(value)
}
