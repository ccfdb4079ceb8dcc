/** The interface of the functions that prepare keywords of a schema for Ajv: see prepare.ts. */
import type { OpenApi, Schema } from '../document/model.ts'
import type { Values } from '../document/values.ts'
import type { SchemaContext } from './context.ts'
import type { ErrorFinder, GetErrorFinder } from './error-finder.ts'
import type { SchemaViews } from './selection.ts'

/** Prepares some keywords of a schema. */
export type PrepareKeywords = (schema: Schema, context: SchemaContext, tools: PrepareTools) => Preparation

/** What becomes of these keywords. */
export interface Preparation {
  /** Keywords for Ajv, without those that are undefined. */
  readonly keywords?: Values
  /** Schemas for Ajv that the value must also satisfy: they become `allOf`. */
  readonly conjuncts?: readonly (object | boolean)[]
  /** They become our keyword `errorFinders`. */
  readonly errorFinders?: readonly ErrorFinder[]
}

/** What the functions use besides the schema. */
export interface PrepareTools {
  readonly root: OpenApi
  readonly views: SchemaViews
  /** Returns the error finder of a schema that is compiled by itself. */
  readonly getErrorFinder: GetErrorFinder
  /** Prepares a subschema that Ajv compiles with the schema. A boolean schema stays as it is. */
  prepareSubschema<Subschema extends Schema | boolean | undefined>(
    subschema: Subschema,
    context: SchemaContext,
  ): object | Subschema
}
