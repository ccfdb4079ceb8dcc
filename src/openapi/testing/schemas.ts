/** Validates values of responses by the Schema Objects of a document: with Ajv, and with a search for undeclared members. */
import type { OpenApi, Schema } from '../document/model.ts'
import { toPointer } from '../document/pointers.ts'
import { getReferences } from '../document/references.ts'
import { collectReachable, getSubschemas, getTypes, mapSubschemas, toSchema } from '../document/subschemas.ts'
import { getType } from '../shared/json.ts'
import { createPattern } from '../shared/patterns.ts'
import { createAjv, type Formats, formatError, toExactKeywords } from './ajv.ts'

export interface ValidationOptions {
  /** Tests of texts, by the names of the document's own formats. */
  readonly formats?: Formats
  /** True if objects may have members that their schemas do not declare. */
  readonly undeclaredMembers?: boolean
}

/** The in-place applicators whose subschemas describe some of the values: branches. */
const BRANCHES = /^(anyOf|oneOf|then|else|dependentSchemas)$/
/** The in-place applicators whose subschemas describe no value. */
const CONDITIONS = /^(not|if)$/

/** Creates the validation of responses by the schemas of a document. */
export function createSchemaValidation(root: OpenApi, { formats = {}, undeclaredMembers = false }: ValidationOptions) {
  const ajv = createAjv(formats)
  // Replace `unevaluatedProperties`, `unevaluatedItems` and `contains`. This Ajv ignores the first two (shared/ajv.ts), and may take
  // an empty array for one with a valid item after another array.
  ajv.addKeyword({
    keyword: 'evaluation',
    validate: isEvaluated,
    error: { message: 'has members that unevaluatedProperties or unevaluatedItems excludes' },
  })
  ajv.addKeyword({
    keyword: 'containment',
    validate: isContaining,
    error: { message: 'must contain another number of valid items' },
  })

  /** The keys of schemas in Ajv. A schema has a copy for each set of `writeOnly` members that its value may have. */
  const keys = new Map<Schema, Map<string, string>>()
  let keyCount = 0

  /** Adds a schema to Ajv, with all that it refers to. Returns its key. */
  function addSchema(schema: Schema, writeOnlyNames: readonly string[]): string {
    const schemaKeys = keys.get(schema) ?? new Map<string, string>()
    keys.set(schema, schemaKeys)
    const existingKey = schemaKeys.get(String(writeOnlyNames))
    if (existingKey !== undefined) return existingKey
    const key = `schema-${keyCount++}`
    // Set the key first: the schema may refer to itself.
    schemaKeys.set(String(writeOnlyNames), key)
    ajv.addSchema(adaptSchema(schema, writeOnlyNames), key)
    return key
  }

  /**
   * Copies a schema with the keywords of ajv.ts. The copy does not require the `writeOnly` members, which responses omit (OpenAPI
   * 3.1, Schema Object). All schemas of the value together determine their names.
   */
  function adaptSchema(schema: Schema, writeOnlyNames: readonly string[]): object {
    const { unevaluatedProperties, unevaluatedItems, contains, ...otherKeywords } = schema
    const { $ref, type, format, required, ...keywords } = mapSubschemas(otherKeywords, (subschema, keyword) => {
      if (keyword === 'allOf' || BRANCHES.test(keyword)) return adaptSchema(subschema, writeOnlyNames)
      // A condition that requires a member does not hold without it.
      return adaptSchema(subschema, CONDITIONS.test(keyword) ? [] : findWriteOnly(subschema))
    })
    const hasUnevaluated = (unevaluatedProperties ?? unevaluatedItems) !== undefined
    return {
      ...keywords,
      ...($ref !== undefined && { $ref: addSchema(getReferred($ref), writeOnlyNames) }),
      ...toExactKeywords(type, format),
      ...(required !== undefined && { required: required.filter((name) => !writeOnlyNames.includes(name)) }),
      ...(hasUnevaluated && { evaluation: schema }),
      ...(contains !== undefined && { containment: schema }),
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
  const findPossible = (schema: Schema) => findInPlace([schema], (candidate) => getSubschemas(candidate, BRANCHES))

  /** Returns the names of the members that are `writeOnly`. */
  function findWriteOnly(schema: Schema): string[] {
    const properties = findPossible(schema).flatMap(({ properties = {} }) => Object.entries(properties))
    return properties.filter(([, property]) => findPossible(toSchema(property)).some(isWriteOnly)).map(([name]) => name)
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

  function getValidator(schema: Schema) {
    const validate = ajv.getSchema(addSchema(schema, findWriteOnly(schema)))
    if (validate === undefined) throw new Error('Ajv does not find a schema that it has')
    return validate
  }

  const isValid = (schema: Schema | boolean, value: unknown) => getValidator(toSchema(schema))(value) === true

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

  /** Finds the members of a value that none of its schemas declares, and those that are `writeOnly`. */
  function* findUnexpected(schemas: readonly Schema[], value: unknown, place: string): Iterable<string> {
    if (typeof value !== 'object' || value === null) return
    const appliedSchemas = findApplied(schemas, value)
    // An object whose schemas declare no members may have any.
    const isClosed = !Array.isArray(value) && !undeclaredMembers && appliedSchemas.some(declaresMembers)
    const requiredNames = appliedSchemas.flatMap(({ required = [] }) => required)
    for (const [name, member] of Object.entries(value)) {
      const memberPlace = place + toPointer(name)
      const memberSchemas = findMemberSchemas(appliedSchemas, value, name)
      if (findApplied(memberSchemas, member).some(isWriteOnly))
        yield `${memberPlace} is writeOnly, and must not be sent`
      else if (memberSchemas.length > 0 || !isClosed || requiredNames.includes(name))
        yield* findUnexpected(memberSchemas, member, memberPlace)
      else yield `${memberPlace} is not declared`
    }
  }

  return {
    /** Returns what is wrong with a value, each with its place: `body/name must be string`. */
    findErrors(schema: Schema, value: unknown, place: string): string[] {
      const validate = getValidator(schema)
      const errors = validate(value) ? [] : (validate.errors ?? [])
      const messages = errors.map((error) => `${place}${error.instancePath} ${formatError(error)}`)
      return [...messages, ...findUnexpected([schema], value, place)]
    },
    /** Returns the types of a schema and of what it applies to the same value, also those of its constants. */
    findTypes: (schema: Schema) =>
      findPossible(schema).flatMap((possible) => [...getTypes(possible), ...getConstants(possible).map(getType)]),
    /** True if a schema describes bytes. */
    isBinary: (schema: Schema) => findPossible(schema).some(({ format }) => format === 'binary'),
  }
}

function isWriteOnly({ writeOnly = false }: Schema): boolean {
  return writeOnly
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
    isArray ? getItemSchemas(schema, name) : getPropertySchemas(schema, name),
  )
  const unevaluatedSchemas = schemas.flatMap(
    (schema) => (isArray ? schema.unevaluatedItems : schema.unevaluatedProperties) ?? [],
  )
  return (memberSchemas.length > 0 ? memberSchemas : unevaluatedSchemas).map(toSchema)
}

function getPropertySchemas(schema: Schema, name: string): (Schema | boolean)[] {
  const { properties = {}, patternProperties = {}, additionalProperties = [] } = schema
  const declarations = [
    ...Object.entries(properties).filter(([property]) => property === name),
    ...Object.entries(patternProperties).filter(([pattern]) => createPattern(pattern).test(name)),
  ]
  return declarations.length > 0 ? declarations.map(([, subschema]) => subschema) : [additionalProperties].flat()
}

function getItemSchemas({ prefixItems = [], items }: Schema, index: string): (Schema | boolean)[] {
  return [prefixItems[Number(index)] ?? items ?? []].flat()
}
