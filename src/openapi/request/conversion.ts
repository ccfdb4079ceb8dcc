/**
 * From the values that a request has to those that a handler is given: an int64 is a bigint, any other number a number,
 * and what was left out and has a default is there. JSON Schema knows nothing of either; it only says what is valid.
 *
 * What is to be done is decided before anything is done: alternatives are told apart by the value as it was sent.
 */
import type { OpenApi, Schema } from '../model.ts'
import { resolve } from '../references.ts'
import { defaultOf, typesOf } from '../schemas.ts'
import { isNumber } from './numeric.ts'

/** Takes a valid value and gives it as the handler is to have it. Objects and lists are changed in place. */
export type Converter = (value: unknown) => unknown

/** Looks at a valid value, and gives the change to make to it. */
type Plan = (value: unknown) => Converter

type Values = Record<string, unknown>

/** Makes the converters of schemas that stand in the document; `validatorOf` is to tell their alternatives apart. */
export function createConverterCompiler(
  root: OpenApi,
  validatorOf: (schema: Schema) => (value: unknown) => boolean,
): (schema: Schema) => Converter {
  const shared = new Map<string, Plan>()

  function planOf(schema: Schema): Plan {
    if (schema.$ref !== undefined) return referred(schema, schema.$ref)
    const plans = [
      choice(schema.anyOf),
      choice(schema.oneOf),
      ...(schema.allOf ?? []).map(planOf),
      number(schema),
      list(schema),
      members(schema),
    ].filter((plan) => plan !== nothing)
    if (plans.length <= 1) return plans[0] ?? nothing
    return (value) => {
      const changes = plans.map((plan) => plan(value))
      return (current) => changes.reduce((changed, change) => change(changed), current)
    }
  }

  function referred(schema: Schema, target: string): Plan {
    const known = shared.get(target)
    if (known !== undefined) return known
    // It may refer to itself.
    let plan: Plan = nothing
    shared.set(target, (value) => plan(value))
    plan = planOf(resolve<Schema>(root, schema))
    shared.set(target, plan)
    return plan
  }

  /** The first alternative for which the value is valid says what it is. */
  function choice(alternatives: readonly Schema[] = []): Plan {
    const options = alternatives.map((schema) => ({ fits: validatorOf(schema), plan: planOf(schema) }))
    if (options.every(({ plan }) => plan === nothing)) return nothing
    return (value) => {
      // There is one, for the value is valid.
      const option = options.find(({ fits }) => fits(value)) as (typeof options)[number]
      return option.plan(value)
    }
  }

  function list({ items }: Schema): Plan {
    const plan = items === undefined ? nothing : planOf(items)
    if (plan === nothing) return nothing
    return (value) => {
      if (!Array.isArray(value)) return keep
      const changes = value.map(plan)
      return (current) => {
        const list = current as unknown[]
        for (const [index, change] of changes.entries()) list[index] = change(list[index])
        return list
      }
    }
  }

  function members({ properties = {}, additionalProperties }: Schema): Plan {
    const declared = Object.entries(properties).map(([name, schema]) => ({
      name,
      plan: planOf(schema),
      initial: defaultOf(root, schema),
    }))
    const changing = declared.filter(({ plan, initial }) => plan !== nothing || initial !== undefined)
    const planOther = typeof additionalProperties === 'object' ? planOf(additionalProperties) : nothing
    if (changing.length === 0 && planOther === nothing) return nothing
    return (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return keep
      const object = value as Values
      const changes = new Map<string, Converter>()
      if (planOther !== nothing) {
        for (const name of Object.keys(object).filter((name) => !Object.hasOwn(properties, name))) {
          changes.set(name, planOther(object[name]))
        }
      }
      for (const { name, plan, initial } of changing) {
        if (Object.hasOwn(object, name)) changes.set(name, plan(object[name]))
        else if (initial !== undefined)
          changes.set(name, (set) => (set === undefined ? plan(initial)(structuredClone(initial)) : set))
      }
      return (current) => {
        const object = current as Values
        for (const [name, change] of changes) object[name] = change(object[name])
        return object
      }
    }
  }

  return (schema) => {
    const plan = planOf(schema)
    return (value) => plan(value)(value)
  }
}

/** Where there is nothing to do. */
function nothing(): Converter {
  return keep
}

function keep(value: unknown): unknown {
  return value
}

/** Without a format, an integer is never so large that it comes as a bigint. */
function number(schema: Schema): Plan {
  const convert = schema.format === 'int64' ? BigInt : typesOf(schema).includes('number') ? Number : undefined
  if (convert === undefined) return nothing
  return () => (value) => (isNumber(value) ? convert(value) : value)
}
