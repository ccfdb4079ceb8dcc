/** Validators that `npm run generate` has compiled, so that a start need neither compile them nor load Ajv. */
import { createRequire } from 'node:module'
import type { ErrorObject } from 'ajv'
import type { Schema } from '../document/model.ts'
import { areDistinct, stringifyExactly } from '../json.ts'
import { FORMATS } from './formats.ts'
import { createNumericCheck } from './numbers.ts'

/** Tells whether a value is valid; `errors` are those of the value that it was called with last, if there are any. */
export interface Validate {
  (value: unknown): boolean
  errors?: readonly ErrorObject[] | null
}

/** Validators by the keys of their schemas. */
export type PreparedValidators = Readonly<Record<string, Validate>>

/** The export of generated/validators.js: makes the validators out of the modules that they need. */
export type CreateValidators = (require: (name: string) => unknown) => PreparedValidators

/** The key of a schema in a document: equal schemas have the same one. */
export function formatSchemaKey(schema: Schema): string {
  return schema.$ref ?? stringifyExactly(schema)
}

const require = createRequire(import.meta.url)

/** The modules that the code of a validator needs, besides small ones of Ajv. */
const PARTS = new Map<string, unknown>([
  ['formats', FORMATS],
  ['json', { areDistinct }],
  ['numbers', { createNumericCheck }],
])

/** Makes the validators of which `npm run generate` has written the code. */
export function prepareValidators(create: CreateValidators): PreparedValidators {
  return create((name) => PARTS.get(name) ?? require(name))
}
