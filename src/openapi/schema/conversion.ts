/**
 * Converts valid values of a request to those that a handler receives: an int64 is a bigint, any other number a number,
 * and defaults are filled in. JSON Schema does neither; it only says what is valid.
 *
 * A conversion is planned completely before anything is changed: alternatives are chosen by the value as it was sent.
 */
import type { OpenApi, Schema } from '../document/model.ts'
import { resolve } from '../document/references.ts'
import { getDefault, getTypes } from '../document/schemas.ts'
import { isNumber } from './keywords.ts'

/** Converts a valid value. Objects and arrays are changed in place. */
export type Converter = (value: unknown) => unknown

/** Inspects a valid value and returns the conversion to apply. */
type Planner = (value: unknown) => Converter

type Values = Record<string, unknown>

/** Makes the converters of the document's schemas; `compileValidator` tells their alternatives apart. */
export function createConverterCompiler(
  root: OpenApi,
  compileValidator: (schema: Schema) => (value: unknown) => boolean,
): (schema: Schema) => Converter {
  const shared = new Map<string, Planner>()

  function createPlanner(schema: Schema): Planner {
    if (schema.$ref !== undefined) return planReference(schema, schema.$ref)
    const planners = [
      planChoice(schema.anyOf),
      planChoice(schema.oneOf),
      ...(schema.allOf ?? []).map(createPlanner),
      planNumber(schema),
      planItems(schema),
      planMembers(schema),
    ].filter((planner) => planner !== planNothing)
    if (planners.length <= 1) return planners[0] ?? planNothing
    return (value) => {
      const converters = planners.map((plan) => plan(value))
      return (current) => converters.reduce((converted, convert) => convert(converted), current)
    }
  }

  function planReference(schema: Schema, target: string): Planner {
    const known = shared.get(target)
    if (known !== undefined) return known
    // The schema may refer to itself.
    let plan: Planner = planNothing
    shared.set(target, (value) => plan(value))
    plan = createPlanner(resolve<Schema>(root, schema))
    shared.set(target, plan)
    return plan
  }

  /** The first alternative for which the value is valid determines the conversion. */
  function planChoice(alternatives: readonly Schema[] = []): Planner {
    const options = alternatives.map((schema) => ({ isValid: compileValidator(schema), plan: createPlanner(schema) }))
    if (options.every(({ plan }) => plan === planNothing)) return planNothing
    return (value) => {
      // There is one, because the value is valid.
      const option = options.find(({ isValid }) => isValid(value)) as (typeof options)[number]
      return option.plan(value)
    }
  }

  function planItems({ items }: Schema): Planner {
    const plan = items === undefined ? planNothing : createPlanner(items)
    if (plan === planNothing) return planNothing
    return (value) => {
      if (!Array.isArray(value)) return keep
      const converters = value.map(plan)
      return (current) => {
        const list = current as unknown[]
        for (const [index, convert] of converters.entries()) list[index] = convert(list[index])
        return list
      }
    }
  }

  function planMembers({ properties = {}, additionalProperties }: Schema): Planner {
    const declared = Object.entries(properties).map(([name, schema]) => ({
      name,
      plan: createPlanner(schema),
      initial: getDefault(root, schema),
    }))
    const converted = declared.filter(({ plan, initial }) => plan !== planNothing || initial !== undefined)
    const planOther = typeof additionalProperties === 'object' ? createPlanner(additionalProperties) : planNothing
    if (converted.length === 0 && planOther === planNothing) return planNothing
    return (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return keep
      const object = value as Values
      const converters = new Map<string, Converter>()
      if (planOther !== planNothing) {
        for (const name of Object.keys(object).filter((name) => !Object.hasOwn(properties, name))) {
          converters.set(name, planOther(object[name]))
        }
      }
      for (const { name, plan, initial } of converted) {
        if (Object.hasOwn(object, name)) converters.set(name, plan(object[name]))
        else if (initial !== undefined)
          converters.set(name, (set) => (set === undefined ? plan(initial)(structuredClone(initial)) : set))
      }
      return (current) => {
        const object = current as Values
        for (const [name, convert] of converters) object[name] = convert(object[name])
        return object
      }
    }
  }

  return (schema) => {
    const plan = createPlanner(schema)
    return (value) => plan(value)(value)
  }
}

/** The planner of a schema whose values need no conversion. */
function planNothing(): Converter {
  return keep
}

function keep(value: unknown): unknown {
  return value
}

/** An integer without a format is never a bigint: it has at most 53 bits. */
function planNumber(schema: Schema): Planner {
  const convert = schema.format === 'int64' ? BigInt : getTypes(schema).includes('number') ? Number : undefined
  if (convert === undefined) return planNothing
  return () => (value) => (isNumber(value) ? convert(value) : value)
}
