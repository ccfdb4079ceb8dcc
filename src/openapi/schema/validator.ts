/** Finds the errors in values with Ajv. Each schema that others refer to is compiled by itself, at its first use. */
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Direction, OpenApi, Schema } from '../document/model.ts'
import { createSchemaSearch, getTarget, toObject, toSchema } from '../document/references.ts'
import { createAjv } from './ajv.ts'
import type { Check, Definition, Location } from './checks.ts'
import { MAX_LISTED, toStandardError } from './keywords.ts'
import { type Context, createContext, createPrepare } from './prepare.ts'
import type { SchemaViews, Validation } from './view.ts'

/**
 * Thrown by a validation that takes too much time or memory, and then the only error in the value. Whether the value is valid is
 * not known.
 */
export const TOO_COMPLEX = Object.assign(new Error('it takes too long to validate'), {
  keyword: 'complexity',
  instancePath: '',
  schemaPath: '',
  params: {},
})

/** Returns the errors in a value; none if it is valid. */
export type FindErrors = (value: unknown) => readonly ErrorObject[]

/** Creates the compiler of validators, which leave values as they are. */
export function createValidatorCompiler(root: OpenApi, views: SchemaViews) {
  const ajv = createAjv()
  const isDirected = createSchemaSearch(root, ({ readOnly, writeOnly }) => readOnly === true || writeOnly === true)
  const definitions = new WeakMap<Schema, Map<string, CompiledDefinition>>()
  const prepare = createPrepare(root, views, define)
  const run = new ValidationRun()

  function define(schema: Schema, context: Context): CompiledDefinition {
    // All references to a component have one definition.
    if (schema.$ref !== undefined && Object.keys(schema).length === 1)
      return define(toSchema(getTarget(root, schema.$ref)), context)
    // Both directions share what does not depend on them.
    const dependsOnContext = (isDirected(schema) && context.direction !== undefined) || context.hiddenNames.length > 0
    const contextInUse = dependsOnContext ? context : NO_CONTEXT
    const key = JSON.stringify(contextInUse)
    const schemaDefinitions = definitions.get(schema) ?? new Map<string, CompiledDefinition>()
    definitions.set(schema, schemaDefinitions)
    const cachedDefinition = schemaDefinitions.get(key)
    if (cachedDefinition !== undefined) return cachedDefinition
    const definition = new CompiledDefinition(run, () => {
      const prepared = prepare(schema, contextInUse)
      const validate = ajv.compile(prepared)
      // Otherwise, Ajv keeps each schema for ever, also those of combinations that clients cause.
      ajv.removeSchema(prepared)
      return validate
    })
    schemaDefinitions.set(key, definition)
    return definition
  }

  const validation: Validation = {
    isValid: (schema, direction, hiddenNames, value) =>
      run.within(value, () => {
        const definition = define(schema, createContext(direction, hiddenNames))
        return definition.findErrors(value, ROOT) === undefined
      }),
    within: (value, work) => run.within(value, work),
  }

  function compile(schema: Schema, direction: Direction | undefined): FindErrors {
    const definition = define(schema, createContext(direction))
    return (value) => run.within(value, () => definition.findErrors(value, ROOT)?.map(toStandardError) ?? [])
  }

  return { compile, validation }
}

/** The value itself. */
const ROOT: Location = { instancePath: '' }

const NO_CONTEXT = createContext(undefined)

/** Above this count of evaluated definitions, a validation looks whether values are validated again and again. */
const MAX_UNCOUNTED = 10_000
/** A validation without repetition evaluates about this many definitions for each value. */
const DEFINITIONS_PER_VALUE = 8
/** Bounds the memory of a validation. */
const MAX_REMEMBERED = 1_000_000

/**
 * The validation that is running, with the validations of branches for its conversion. Where several branches refer back, the
 * number of evaluations may double with each level of a value. A validation that evaluates many more definitions than the value
 * has values therefore remembers what each definition says of each object.
 */
class ValidationRun {
  #value: unknown
  #isRunning = false
  #evaluationCount = 0
  #nextLimit = 0
  #remembered: Map<Definition, Map<object, ErrorObject[] | undefined>> | undefined
  #rememberedCount = 0

  /** Does what belongs to the validation of a value, and returns the result. Throws `TOO_COMPLEX`. */
  within<Result>(value: unknown, work: () => Result): Result {
    // The validation of a branch is a part of the validation that asks for it.
    if (this.#isRunning) return work()
    this.#isRunning = true
    this.#value = value
    this.#evaluationCount = 0
    this.#nextLimit = MAX_UNCOUNTED
    try {
      return work()
    } catch (error) {
      // A string of megabytes may overflow the stack of V8's regular expressions.
      throw error instanceof RangeError && /call stack/.test(error.message) ? TOO_COMPLEX : error
    } finally {
      this.#isRunning = false
      // Otherwise, the value would stay in memory.
      this.#value = undefined
      this.#remembered = undefined
      this.#rememberedCount = 0
    }
  }

  /** Counts an evaluation of a definition. Returns true if its result is to be remembered. */
  countEvaluation(): boolean {
    if (++this.#evaluationCount > this.#nextLimit) this.#decideToRemember()
    return this.#remembered !== undefined
  }

  #decideToRemember(): void {
    // Counting values takes time, so it waits until any value could be evaluated so often.
    const limit = Math.max(MAX_UNCOUNTED, DEFINITIONS_PER_VALUE * countValues(this.#value))
    this.#nextLimit = limit
    if (this.#evaluationCount > limit) {
      this.#remembered = new Map()
      this.#nextLimit = Infinity
    }
  }

  /** Returns what a definition has said of an object, or else asks for it. */
  recall(
    definition: Definition,
    value: object,
    findErrors: () => ErrorObject[] | undefined,
  ): ErrorObject[] | undefined {
    const results = this.#remembered?.get(definition) ?? new Map<object, ErrorObject[] | undefined>()
    this.#remembered?.set(definition, results)
    if (results.has(value)) return results.get(value)
    const errors = findErrors()
    if (++this.#rememberedCount > MAX_REMEMBERED) throw TOO_COMPLEX
    results.set(value, errors)
    return errors
  }
}

class CompiledDefinition implements Definition {
  readonly #run: ValidationRun
  readonly #compile: () => ValidateFunction
  #validate: ValidateFunction | undefined

  constructor(run: ValidationRun, compile: () => ValidateFunction) {
    this.#run = run
    this.#compile = compile
  }

  readonly findErrors: Check = (value, location) => {
    if (typeof value === 'object' && value !== null && this.#run.countEvaluation())
      return this.#run.recall(this, value, () => this.#evaluate(value, location))
    return this.#evaluate(value, location)
  }

  #evaluate(value: unknown, location: Location): ErrorObject[] | undefined {
    this.#validate ??= this.#compile()
    if (this.#validate(value, location as never)) return undefined
    // Otherwise, the number of errors may double with each level of a value.
    return this.#validate.errors?.slice(0, MAX_LISTED + 1) ?? []
  }
}

/** Counts a value and all values within it. */
function countValues(value: unknown): number {
  return Object.values(toObject(value)).reduce((sum: number, inner) => sum + countValues(inner), 1)
}
