/**
 * Error finders: functions that find the errors in a value, for a schema or keyword that is compiled by itself. They are plain
 * functions, which Ajv calls by its public interface for keywords (https://ajv.js.org/keywords.html).
 */
import type { ErrorObject } from 'ajv'
import type { Schema } from '../document/model.ts'
import { toPointer } from '../document/pointers.ts'
import type { SchemaContext } from './context.ts'

/** Returns the errors in a value; undefined if the value is valid. */
export type ErrorFinder = (value: unknown, location: Location) => readonly ErrorObject[] | undefined

/** Returns the error finder of a schema in a context: the same one each time. */
export type GetErrorFinder = (schema: Schema, context: SchemaContext) => ErrorFinder

/** Where a value is in the validated value, as a JSON pointer, which Ajv passes on. */
export interface Location {
  readonly instancePath: string
}

/** The location of the validated value itself. */
export const ROOT_LOCATION: Location = { instancePath: '' }

/** Returns the location of a property or item. */
export function locateMember({ instancePath }: Location, name: string | number): Location {
  return { instancePath: instancePath + toPointer(name) }
}

/** Creates the error of a keyword that a value violates. */
export function createError(
  keyword: string,
  { instancePath }: Location,
  params: Record<string, unknown> = {},
): ErrorObject {
  return { keyword, instancePath, schemaPath: '', params }
}
