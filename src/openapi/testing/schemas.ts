/** Validates values of responses by the Schema Objects of a document: with Ajv, and with a search for undeclared members. */
import type { ErrorObject, ValidateFunction } from 'ajv'
import type { OpenApi, Schema } from '../document/model.ts'
import { toPointer } from '../document/pointers.ts'
import { getReferences } from '../document/references.ts'
import { collectReachable, getTypes, mapSubschemas, toSchema } from '../document/subschemas.ts'
import { createAjv } from '../schema/ajv.ts'
import { findPossibleSchemas } from '../schema/applicators.ts'
import { createTextFormats, type Formats, NUMBER_FORMATS } from '../schema/formats.ts'
import { getErrors } from '../schema/keywords.ts'
import { getItemSchemas, getPropertySchemas } from '../schema/members.ts'
import { createError, type ErrorList, type Validator } from '../schema/validator.ts'
import { getType, stringifyExactly } from '../shared/json.ts'

export interface ValidationOptions {
  /** Tests of texts, by the names of the document's own formats. */
  readonly formats?: Formats
  /** True if objects may have members that their schemas do not declare. */
  readonly undeclaredMembers?: boolean
}

/** The keyword of the members that a message omits (OpenAPI 3.1, Schema Object). */
type HiddenKeyword = 'readOnly' | 'writeOnly'

/** The in-place applicators whose subschemas describe some of the values: branches. */
const BRANCHES = /^(anyOf|oneOf|then|else|dependentSchemas)$/
/** The in-place applicators whose subschemas describe no value. */
const CONDITIONS = /^(not|if)$/

/** Creates the validation of responses, or with `readOnly` of requests, by the schemas of a document. */
export function createSchemaValidation(
  root: OpenApi,
  { formats = {}, undeclaredMembers = false }: ValidationOptions,
  hiddenKeyword: HiddenKeyword = 'writeOnly',
) {
  const ajv = createAjv(createTextFormats(formats))
  /** By schema, and by the hidden members that its value may have: each set of them has a copy of the schema. */
  const validateFunctions = new Map<Schema, Map<string, ValidateFunction>>()

  /** Returns the errors in a value; undefined if it is valid. A schema is compiled before its first use. */
  function validate(schema: Schema, value: unknown, hiddenNames: readonly string[] = findHidden(schema)): ErrorList {
    const schemaFunctions = validateFunctions.get(schema) ?? new Map<string, ValidateFunction>()
    validateFunctions.set(schema, schemaFunctions)
    const validateByAjv = schemaFunctions.get(String(hiddenNames)) ?? ajv.compile(adaptSchema(schema, hiddenNames))
    schemaFunctions.set(String(hiddenNames), validateByAjv)
    return validateByAjv(value) ? undefined : getErrors(validateByAjv)
  }

  /**
   * Copies a schema with the keywords that Ajv has here. The copy does not require the hidden members, which messages
   * omit: those of the schemas around it, and its own.
   */
  function adaptSchema(schema: Schema, hiddenNames: readonly string[]): object {
    const { unevaluatedProperties, unevaluatedItems, contains, ...otherKeywords } = schema
    const { $ref, type, format, required, ...keywords } = mapSubschemas(otherKeywords, (subschema, keyword) => {
      if (keyword === 'allOf' || BRANCHES.test(keyword))
        return adaptSchema(subschema, addHidden(hiddenNames, subschema))
      // A condition that requires a member does not hold without it.
      return adaptSchema(subschema, CONDITIONS.test(keyword) ? [] : findHidden(subschema))
    })
    const validators: Validator[] = []
    // Ajv compiles a schema with all that it refers to, so that a long chain of references overflows its stack.
    if ($ref !== undefined) {
      const target = getReferred($ref)
      validators.push((value) => validate(target, value, addHidden(hiddenNames, target)))
    }
    // A branch does not describe a request that has a member which is `readOnly` there.
    const isMistaken = (value: unknown) => hiddenNames.some((name) => Object.hasOwn(Object(value), name))
    if (hiddenKeyword === 'readOnly' && hiddenNames.length > 0)
      validators.push((value) => (isMistaken(value) ? [createError('readOnly')] : undefined))
    // Ajv counts the members of failed branches as evaluated, and may take an empty array for one with a valid item after another
    // array (test/openapi/ajv.unit.test.ts).
    if ((unevaluatedProperties ?? unevaluatedItems) !== undefined)
      validators.push((value) => (isEvaluated(schema, value) ? undefined : [createError('unevaluated')]))
    if (contains !== undefined)
      validators.push((value) => (isContaining(schema, value) ? undefined : [createError('contains')]))
    return {
      ...keywords,
      ...toExactKeywords(type, format),
      ...(required !== undefined && { required: required.filter((name) => !hiddenNames.includes(name)) }),
      ...(validators.length > 0 && { validators }),
    }
  }

  const getReferred = ($ref: string) => toSchema(getReferences(root).getTarget($ref))

  /** Returns the schemas and all that they apply to the same value. `getBranches` returns the branches to include. */
  function findInPlace(schemas: readonly Schema[], getBranches: (schema: Schema) => Schema[]): Schema[] {
    return collectReachable(schemas, (schema) => [
      ...(schema.$ref === undefined ? [] : [getReferred(schema.$ref)]),
      ...(schema.allOf ?? []).map(toSchema),
      ...getBranches(schema),
    ])
  }

  /** Returns a schema and all that it may apply to the same value. */
  const findPossible = (schema: Schema) => findPossibleSchemas(root, [schema])

  /** Finds the names of the members that are hidden: `readOnly` by any schema without branches, or else by each declaration. */
  function findHidden(schema: Schema): string[] {
    const findProperties = (schemas: readonly Schema[]) =>
      Map.groupBy(
        schemas.flatMap(({ properties = {} }) => Object.entries(properties)),
        ([name]) => name,
      )
    const unconditional = findProperties(findInPlace([schema], () => []))
    return Array.from(findProperties(findPossible(schema)), ([name, declarations]) => {
      const isHiddenBy = ([, property]: readonly [string, Schema | boolean]) => isHidden(toSchema(property))
      const isAlways = unconditional.get(name)?.some(isHiddenBy) === true
      const isOmitted = hiddenKeyword === 'writeOnly' ? declarations.some(isHiddenBy) : declarations.every(isHiddenBy)
      return isAlways || isOmitted ? [name] : []
    }).flat()
  }

  function addHidden(hiddenNames: readonly string[], schema: Schema): string[] {
    return [...new Set([...hiddenNames, ...findHidden(schema)])]
  }

  /** True if messages omit a value: for `readOnly`, all branches say it; for `writeOnly`, any, because the value may be a secret. */
  function isHidden(schema: Schema): boolean {
    if (hiddenKeyword === 'writeOnly') return findPossible(schema).some(({ writeOnly }) => writeOnly === true)
    return findInPlace([schema], () => []).some(({ readOnly, anyOf = [], oneOf = [] }) => {
      const isReadOnly = (branches: readonly (Schema | boolean)[]) =>
        branches.length > 0 && branches.every((branch) => isHidden(toSchema(branch)))
      return readOnly === true || isReadOnly(anyOf) || isReadOnly(oneOf)
    })
  }

  /** Returns the schemas and all that they apply to a value: of branches, those that the value matches. */
  function findApplied(schemas: readonly Schema[], value: unknown): Schema[] {
    const selectBranches = (branches: readonly (Schema | boolean)[]) => {
      const matchingBranches = branches.filter((branch) => isValid(toSchema(branch), value))
      // Ajv reports a value that matches no branch. Any of them may be meant.
      return matchingBranches.length > 0 ? matchingBranches : branches
    }
    return findInPlace(schemas, ({ anyOf = [], oneOf = [], dependentSchemas = {}, ...conditional }) => {
      const { if: condition, then: consequent = true, else: alternative = true } = conditional
      const dependent = Object.entries(dependentSchemas).filter(([name]) => Object.hasOwn(Object(value), name))
      return [
        ...selectBranches(anyOf),
        ...selectBranches(oneOf),
        ...(condition === undefined ? [] : isValid(condition, value) ? [condition, consequent] : [alternative]),
        ...dependent.map(([, schema]) => schema),
      ].map(toSchema)
    })
  }

  const isValid = (schema: Schema | boolean, value: unknown) => validate(toSchema(schema), value) === undefined

  /** True if an array has as many items that are valid against `contains` as it must have. */
  function isContaining({ contains = {}, minContains = 1, maxContains = Infinity }: Schema, value: unknown): boolean {
    if (!Array.isArray(value)) return true
    const { length } = value.filter((item) => isValid(contains, item))
    return length >= minContains && length <= maxContains
  }

  /** True if `unevaluatedProperties` or `unevaluatedItems` allows each member or item that no other keyword evaluates. */
  function isEvaluated(schema: Schema, value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return true
    const { unevaluatedProperties = true, unevaluatedItems = true, ...otherKeywords } = schema
    const unevaluatedSchema = Array.isArray(value) ? unevaluatedItems : unevaluatedProperties
    const appliedSchemas = findApplied([otherKeywords], value)
    return Object.entries(value).every(([name, member]) => {
      if (findMemberSchemas(appliedSchemas, value, name).length > 0) return true
      const isContained =
        Array.isArray(value) && appliedSchemas.some(({ contains = false }) => isValid(contains, member))
      return isContained || isValid(unevaluatedSchema, member)
    })
  }

  /** Finds the members of a value that none of its schemas declares, and those that are hidden. */
  function* findUnexpected(schemas: readonly Schema[], value: unknown, place: string): Iterable<string> {
    if (typeof value !== 'object' || value === null) return
    const appliedSchemas = findApplied(schemas, value)
    // An object whose schemas declare no members may have any.
    const isClosed = !Array.isArray(value) && !undeclaredMembers && appliedSchemas.some(declaresMembers)
    const requiredNames = appliedSchemas.flatMap(({ required = [] }) => required)
    for (const [name, member] of Object.entries(value)) {
      const memberPlace = place + toPointer(name)
      const memberSchemas = findMemberSchemas(appliedSchemas, value, name)
      // A value that matches a `readOnly` branch may be meant for another one.
      const isOmitted =
        hiddenKeyword === 'readOnly'
          ? memberSchemas.some(isHidden)
          : findApplied(memberSchemas, member).some(({ writeOnly }) => writeOnly === true)
      if (isOmitted) yield `${memberPlace} is ${hiddenKeyword}, and must not be sent`
      else if (memberSchemas.length > 0 || !isClosed || requiredNames.includes(name))
        yield* findUnexpected(memberSchemas, member, memberPlace)
      else yield `${memberPlace} is not declared`
    }
  }

  return {
    /** Returns what is wrong with a value, each with its place: `body/name must be string`. */
    findErrors(schema: Schema, value: unknown, place: string): string[] {
      const errors = validate(schema, value) ?? []
      const messages = errors.map((error) => `${place}${error.instancePath} ${formatError(error)}`)
      return [...messages, ...findUnexpected([schema], value, place)]
    },
    isHidden,
    /** Returns the types of a schema and of what it applies to the same value, also those of its constants. */
    findTypes: (schema: Schema) =>
      findPossible(schema).flatMap((possible) => [...getTypes(possible), ...getConstants(possible).map(getType)]),
    /** True if a schema describes bytes. */
    isBinary: (schema: Schema) => findPossible(schema).some(({ format }) => format === 'binary'),
  }
}

function declaresMembers({ properties = {}, patternProperties }: Schema): boolean {
  return patternProperties !== undefined || Object.keys(properties).length > 0
}

function getConstants({ enum: values = [], ...schema }: Schema): readonly unknown[] {
  return 'const' in schema ? [...values, schema.const] : values
}

/** Returns the schemas that the schemas of an object or array have for a member or item. */
function findMemberSchemas(schemas: readonly Schema[], value: object, name: string): Schema[] {
  const isArray = Array.isArray(value)
  const memberSchemas = schemas.flatMap((schema) =>
    isArray ? getItemSchemas(schema, Number(name)) : getPropertySchemas(schema, name),
  )
  const unevaluatedSchemas = schemas.flatMap(
    (schema) => (isArray ? schema.unevaluatedItems : schema.unevaluatedProperties) ?? [],
  )
  return memberSchemas.length > 0 ? memberSchemas : unevaluatedSchemas.map(toSchema)
}

/** Returns the keywords of ours that stand for `type` and `format`. */
function toExactKeywords(type: Schema['type'] | undefined, format: string | undefined): object {
  const types = type === undefined ? undefined : getTypes({ type })
  if (NUMBER_FORMATS.has(format)) return { valueType: { types, format } }
  return { ...(types !== undefined && { valueType: { types } }), ...(format !== undefined && { format }) }
}

/** Formats an error as a predicate: `must be integer`. */
function formatError({ keyword, message, params }: ErrorObject): string {
  switch (keyword) {
    case 'additionalProperties':
      return `${message}: "${params.additionalProperty}"`
    case 'valueType':
      return `must be ${[params.type ?? params.format].flat().join(', ')}`
    case 'minLength':
      return `must NOT have fewer than ${params.limit} characters`
    case 'maxLength':
      return `must NOT have more than ${params.limit} characters`
    case 'minProperties':
      return `must NOT have fewer than ${params.limit} properties`
    case 'maxProperties':
      return `must NOT have more than ${params.limit} properties`
    case 'pattern':
    case 'format':
      return `must match ${keyword} "${params[keyword]}"`
    case 'uniqueItems':
      return 'must not have equal items'
    case 'contains':
      return 'must contain another number of valid items'
    case 'unevaluated':
      return 'has members that unevaluatedProperties or unevaluatedItems excludes'
    default: {
      const expected: unknown[] = params.allowedValues ?? [params.allowedValue ?? params.limit]
      const texts = expected.map((value) => (typeof value === 'string' ? value : stringifyExactly(value)))
      return keyword in PREDICATES ? `${PREDICATES[keyword]} ${texts.join(', ')}` : String(message)
    }
  }
}

/** By keywords of ours, whose errors have no message. */
const PREDICATES: Readonly<Record<string, string>> = {
  const: 'must be equal to',
  enum: 'must be one of',
  minimum: 'must be >=',
  maximum: 'must be <=',
  exclusiveMinimum: 'must be >',
  exclusiveMaximum: 'must be <',
  multipleOf: 'must be a multiple of',
}
