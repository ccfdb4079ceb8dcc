/** Validators: functions that find the errors in a value. Each is compiled from a schema, or made for one keyword of a schema. */
import type { ErrorObject } from 'ajv'
import type { Schema } from '../document/model.ts'
import { toPointer } from '../document/pointers.ts'
import type { SchemaContext } from './context.ts'

/** Returns the errors in a value, with paths that begin at the value; undefined if the value is valid. */
export type Validator = (value: unknown) => ErrorList

/** Returns the errors in a member, of which it also takes the name or index. */
export type MemberValidator = (value: unknown, key: string | number) => ErrorList

export type ErrorList = readonly ErrorObject[] | undefined

/** Returns the validator of a schema in a context: the same one each time. */
export type GetValidator = (schema: Schema, context: SchemaContext) => Validator

/** The most violations that a message lists: nothing looks for many more errors. */
export const MAX_LISTED = 10

/** Creates the error of a keyword that a value violates. */
export function createError(keyword: string, params: Record<string, unknown> = {}): ErrorObject {
  return { keyword, instancePath: '', schemaPath: '', params }
}

/** Turns the errors in a member into errors in the object or array around it. */
export function toOuterErrors(name: string | number, errors: ErrorList): ErrorList {
  return errors?.map((error) => ({ ...error, instancePath: toPointer(name) + error.instancePath }))
}

/** The validator of the schema `false`. */
export const rejectAny: Validator = () => [createError('false schema')]

/** The validator of a value that a request must not have. */
export const rejectReadOnly: Validator = () => [createError('readOnly')]
