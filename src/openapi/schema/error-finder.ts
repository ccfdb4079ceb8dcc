/**
 * Error finders: functions that find the errors in a value, for a schema or keyword that is compiled by itself. Ajv calls them by the
 * keyword `errorFinders` (keywords.ts).
 */
import type { ErrorObject } from 'ajv'
import type { Schema } from '../document/model.ts'
import { toPointer } from '../document/pointers.ts'
import type { SchemaContext } from './context.ts'

/** Returns the errors in a value, with paths that begin at the value; undefined if the value is valid. */
export type ErrorFinder = (value: unknown) => ErrorList

export type ErrorList = readonly ErrorObject[] | undefined

/** Returns the error finder of a schema in a context: the same one each time. */
export type GetErrorFinder = (schema: Schema, context: SchemaContext) => ErrorFinder

/** Creates the error of a keyword that a value violates. */
export function createError(keyword: string, params: Record<string, unknown> = {}): ErrorObject {
  return { keyword, instancePath: '', schemaPath: '', params }
}

/** Turns the errors of a member into errors of the object or array around it. */
export function toOuterErrors(name: string | number, errors: ErrorList): ErrorList {
  return errors?.map((error) => ({ ...error, instancePath: toPointer(name) + error.instancePath }))
}
