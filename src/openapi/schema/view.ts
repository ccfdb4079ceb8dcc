/**
 * A schema view is the set of all schemas that describe one value: a schema, what it refers to, what it combines by `allOf`, and
 * the branches of its unions. How a value is validated, converted, written, read from text, and typed follows from all of these
 * schemas together, so each of these asks a view. For these components
 *
 *     NewPet: { type: object, properties: { name: { type: string }, status: { type: string, default: available } } }
 *     Pet: { allOf: [{ $ref: "#/components/schemas/NewPet" }], properties: { id: { type: integer, format: int64 } } }
 *     Animal: { oneOf: [{ $ref: "#/components/schemas/Pet" }, { type: "null" }] }
 *
 * the views are
 *
 *     const view = views.get({ $ref: '#/components/schemas/Pet' })
 *     view.propertyNames                // id, name and status
 *     view.property('id').numberType    // "int64": handlers receive a bigint
 *     view.property('status').default   // "available"
 *     const animal = views.get({ $ref: '#/components/schemas/Animal' })
 *     animal.conjuncts                              // Animal alone: a value may be a Pet or null
 *     animal.select({ name: 'Rex' }, 'request')     // the view of Animal and Pet
 *     animal.property('status').default             // undefined: only a branch leads to the default
 */
import type { Direction, OpenApi, Schema } from '../document/model.ts'
import { ANY, getTarget, getTypes, NEVER, toSchema } from '../document/references.ts'
import type { SchemaType } from '../shared/json.ts'
import {
  findConjuncts,
  findEvaluatingSchemas,
  findPossibleSchemas,
  getAllowedTypes,
  getItemSchemas,
  getMentionedTypes,
  getPropertySchemas,
  isBinary,
  isInt64,
} from './applicators.ts'
import { createUnions, type Union } from './union.ts'

/**
 * What the numbers of a value are: 64-bit integers, other integers, any numbers, or a mixture, where the branches of a union
 * differ in this. Undefined if no schema says that the value is a number.
 */
export type NumberType = 'int64' | 'integer' | 'number' | 'mixed' | undefined

export class SchemaView {
  /** All schemas that describe the value, with those of all branches unless branches have been selected. */
  readonly schemas: readonly Schema[]
  /** The schemas that describe the value whichever of its branches it satisfies. */
  readonly conjuncts: readonly Schema[]
  /**
   * The conjuncts that describe the value whichever branches the values around it satisfy. Only their defaults are filled in: a
   * default of a branch would decide which branch a value satisfies.
   */
  readonly unconditionalSchemas: readonly Schema[]
  /** The unions whose branches have not been selected. */
  readonly unions: readonly Union[]
  readonly #views: SchemaViews
  readonly #roots: readonly Schema[]
  readonly #unconditionalRoots: readonly Schema[]
  /** The view from which branches have been selected. */
  readonly #origin: SchemaView | undefined
  /** True if there may be exponentially many such views, for combinations of branches or patterns that clients choose. */
  readonly isCombination: boolean
  readonly #memo = new Map<string, unknown>()

  constructor(
    views: SchemaViews,
    roots: readonly Schema[],
    unconditionalRoots: readonly Schema[],
    isCombination: boolean,
    origin?: SchemaView,
  ) {
    const { root } = views
    this.#views = views
    this.#roots = roots
    this.#unconditionalRoots = unconditionalRoots
    this.#origin = origin
    this.isCombination = isCombination
    this.conjuncts = findConjuncts(root, roots)
    this.unconditionalSchemas = unconditionalRoots === roots ? this.conjuncts : findConjuncts(root, unconditionalRoots)
    // The unions of the origin are decided; those of the selected branches are not.
    const addedSchemas = this.conjuncts.filter((schema) => origin?.conjuncts.includes(schema) !== true)
    this.unions = addedSchemas.flatMap((schema) => views.getUnions(schema))
    const branches = this.unions.flatMap((union) => union.branches)
    this.schemas =
      branches.length === 0 ? this.conjuncts : [...new Set([...this.conjuncts, ...findPossibleSchemas(root, branches)])]
  }

  /** One schema with the meaning of the view. */
  get schema(): Schema {
    const [firstRoot = ANY, ...otherRoots] = this.#roots
    return otherRoots.length === 0 ? firstRoot : this.#memoize('schema', () => ({ allOf: this.#roots }))
  }

  /** The view of the schemas that describe the value whatever the values around it are. */
  get unconditionalView(): SchemaView {
    return this.#views.create(this.#unconditionalRoots, this.#unconditionalRoots, false)
  }

  /** The views of the single schemas that declare the value, if some of them are those of branches; none otherwise. */
  get alternatives(): readonly SchemaView[] {
    const dependsOnBranches = this.#roots.length > this.#unconditionalRoots.length
    return dependsOnBranches ? this.#roots.map((schema) => this.#views.get(schema)) : []
  }

  /** The name of the component that the view describes; undefined if there is none. */
  get componentName(): string | undefined {
    return this.#roots.length === 1 ? this.#views.getComponentName(this.#roots[0]) : undefined
  }

  /** True if no schema describes the value. */
  get isEmpty(): boolean {
    return this.schemas.every((schema) => schema === ANY)
  }

  /** True if there is no such value. */
  get isNever(): boolean {
    return this.conjuncts.includes(NEVER)
  }

  /** The types that values may have; undefined for any type. The list is empty if the schemas contradict each other. */
  get types(): readonly SchemaType[] | undefined {
    return this.#memoize('types', () => {
      const conjunctTypes = this.conjuncts.map(getAllowedTypes).filter((types) => types.length > 0)
      const unionTypes = this.#branchGroups.flatMap((branches) => {
        const types = branches.flatMap((branch) => branch.types ?? [])
        return branches.some((branch) => branch.types === undefined) ? [] : [types]
      })
      const typeLists = [...conjunctTypes, ...unionTypes]
      if (typeLists.length === 0) return undefined
      return [...new Set(typeLists.flat())].filter((type) =>
        typeLists.every((types) => types.includes(type) || (type === 'integer' && types.includes('number'))),
      )
    })
  }

  /** The types that any schema mentions or implies; none if no schema limits the types. */
  get mentionedTypes(): readonly SchemaType[] {
    return this.#memoize('mentionedTypes', () => [...new Set(this.schemas.flatMap(getMentionedTypes))])
  }

  /** True if no schema mentions arrays or objects: a text is read as one value. */
  get isScalar(): boolean {
    return !this.mentionedTypes.some((type) => type === 'array' || type === 'object')
  }

  /** True if a value may be bytes: a file of a form, or a body. */
  get isFile(): boolean {
    return this.schemas.some(isBinary)
  }

  get numberType(): NumberType {
    return this.#memoize('numberType', () => {
      if (this.conjuncts.some(isInt64)) return 'int64'
      const conjunctTypes = this.conjuncts.map(getTypes).flatMap((types) => {
        if (types.includes('number')) return ['number' as const]
        return types.includes('integer') ? ['integer' as const] : []
      })
      const unionTypes = this.#branchGroups.map(uniteNumberTypes)
      // All of these types apply to the value, so the narrowest decides.
      const numberTypes = new Set<NumberType>([...conjunctTypes, ...unionTypes])
      return (['int64', 'mixed', 'integer', 'number'] as const).find((type) => numberTypes.has(type))
    })
  }

  /** The default of a property or item that is missing; undefined without one, and if it is not valid. */
  get default(): unknown {
    return this.#memoize('default', () => {
      const value = this.unconditionalSchemas.find((schema) => 'default' in schema)?.default
      if (value === undefined) return undefined
      const isValid = this.#unconditionalRoots.every((schema) =>
        this.#views.validation.isValid(schema, undefined, [], value),
      )
      return isValid ? value : undefined
    })
  }

  /** The names in `properties`. */
  get propertyNames(): ReadonlySet<string> {
    return this.#memoize(
      'propertyNames',
      () => new Set(this.schemas.flatMap(({ properties = {} }) => Object.keys(properties))),
    )
  }

  /** The names in `required`. */
  get requiredNames(): ReadonlySet<string> {
    return this.#memoize('requiredNames', () => new Set(this.schemas.flatMap(({ required = [] }) => required)))
  }

  /** True if undeclared properties differ in their schemas, by their names. */
  get hasPatterns(): boolean {
    return this.schemas.some(({ patternProperties }) => patternProperties !== undefined)
  }

  /** True if a keyword evaluates the property (JSON Schema 2020-12, section 11), so that it is declared. */
  declares(name: string | undefined): boolean {
    return this.schemas.some(
      (schema) => 'unevaluatedProperties' in schema || getPropertySchemas(schema, name).length > 0,
    )
  }

  /** Returns the view of a property. Without `patternProperties`, all undeclared properties have the same view. */
  property(name: string): SchemaView {
    const create = () => this.#createProperty(name)
    // Bound the memory: clients choose undeclared names, so their views are not remembered.
    if (this.propertyNames.has(name)) return this.#memoize(`property ${name}`, create)
    return this.hasPatterns ? create() : this.undeclaredProperty
  }

  /** The view of a property that neither a name nor a pattern declares. */
  get undeclaredProperty(): SchemaView {
    return this.#memoize('undeclared property', () => this.#createProperty(undefined))
  }

  /** The views of items by index. The last one is also the view of all further items. */
  get items(): readonly SchemaView[] {
    return this.#memoize('items', () => {
      const prefixLength = Math.max(0, ...this.schemas.map(({ prefixItems = [] }) => prefixItems.length))
      return Array.from({ length: prefixLength + 1 }, (_each, index) =>
        this.#createChild((schemas) => this.#findItemSchemas(schemas, index), this.isCombination),
      )
    })
  }

  /** Returns the view of an item. */
  item(index: number): SchemaView {
    return this.items[Math.min(index, this.items.length - 1)] as SchemaView
  }

  /**
   * True if messages in the direction lack the value that the view describes. It is never sent if any schema is `writeOnly`. It
   * is not accepted if it is `readOnly` whichever branches apply; otherwise, the validators of the branches decide.
   */
  isHidden(direction: Direction | undefined): boolean {
    if (direction === 'response') return this.schemas.some(({ writeOnly }) => writeOnly === true)
    if (direction === undefined || this.#roots.length === 0) return false
    const isReadOnly = (schema: Schema) => this.#views.isReadOnly(schema)
    return this.#unconditionalRoots.some(isReadOnly) || this.#roots.every(isReadOnly)
  }

  /** True if messages in the direction lack a property, whichever branches the value satisfies. */
  isPropertyHidden(name: string, direction: Direction | undefined): boolean {
    return this.#origin?.isPropertyHidden(name, direction) === true || this.property(name).isHidden(direction)
  }

  /** The declared or required properties that messages in the direction lack. */
  getHiddenNames(direction: Direction | undefined): readonly string[] {
    return this.#memoize(`hidden ${direction}`, () => {
      if (direction === undefined) return []
      return [...this.propertyNames.union(this.requiredNames)].filter((name) => this.isPropertyHidden(name, direction))
    })
  }

  /** The properties that requests may lack, because a branch hides them. */
  get possiblyReadOnlyNames(): readonly string[] {
    return this.#memoize('possibly readOnly', () => {
      const names = [...this.propertyNames.union(this.requiredNames)]
      return names.filter((name) => this.property(name).#roots.some((schema) => this.#views.isReadOnly(schema)))
    })
  }

  /**
   * Returns the view of a valid value, in which the branches that the value satisfies are the only ones. Returns undefined if the
   * value satisfies no branch of a union.
   */
  select(value: unknown, direction: Direction | undefined): SchemaView | undefined {
    if (this.unions.length === 0) return this
    const selectedBranches: Schema[] = []
    for (const union of this.unions) {
      const hiddenNames = this.getHiddenNames(direction)
      const branches = union.select(value, hiddenNames, (schema, kind) =>
        kind === 'condition'
          ? this.#views.validation.isValid(schema, undefined, [], value)
          : this.#views.validation.isValid(schema, direction, hiddenNames, value),
      )
      if (branches === undefined) return undefined
      selectedBranches.push(...branches)
    }
    // The selected branches may have unions in turn.
    return this.#views.shareSelected(this, selectedBranches).select(value, direction)
  }

  /** Creates the view with these branches, which `SchemaViews` shares. */
  createSelected(branches: readonly Schema[]): SchemaView {
    const isCombination = this.isCombination || branches.length > 1
    return new SchemaView(this.#views, [...this.conjuncts, ...branches], this.#unconditionalRoots, isCombination, this)
  }

  /** The views of the branches, by union. */
  get #branchGroups(): readonly (readonly SchemaView[])[] {
    return this.unions
      .filter(({ isAlternative }) => isAlternative)
      .map(({ branches }) => branches.map((branch) => this.#views.get(branch)))
  }

  #createProperty(name: string | undefined): SchemaView {
    const isChosenByClient = name !== undefined && !this.propertyNames.has(name)
    const findSchemas = (schemas: readonly Schema[]) => this.#findPropertySchemas(schemas, name)
    return this.#createChild(findSchemas, this.isCombination || isChosenByClient)
  }

  #findPropertySchemas(schemas: readonly Schema[], name: string | undefined): Schema[] {
    return schemas.flatMap((schema) => [
      ...getPropertySchemas(schema, name),
      ...this.#findUnevaluated(schema, 'unevaluatedProperties', (evaluatingSchema) =>
        getPropertySchemas(evaluatingSchema, name),
      ),
    ])
  }

  #findItemSchemas(schemas: readonly Schema[], index: number): Schema[] {
    return schemas.flatMap((schema) => [
      ...getItemSchemas(schema, index),
      // Which items `contains` evaluates depends on the items.
      ...this.#findUnevaluated(schema, 'unevaluatedItems', (evaluatingSchema) =>
        evaluatingSchema.contains === undefined ? getItemSchemas(evaluatingSchema, index) : [evaluatingSchema.contains],
      ),
    ])
  }

  /** Returns the subschema for what no schema evaluates of those that apply in place of `schema`, in a list. */
  #findUnevaluated(
    schema: Schema,
    keyword: 'unevaluatedProperties' | 'unevaluatedItems',
    findSchemas: (schema: Schema) => readonly Schema[],
  ): readonly Schema[] {
    const subschema = schema[keyword]
    if (subschema === undefined) return []
    const evaluatingSchemas = findEvaluatingSchemas(this.#views.root, schema)
    const isEvaluated = evaluatingSchemas.some(
      (evaluatingSchema) =>
        this.schemas.includes(evaluatingSchema) &&
        (findSchemas(evaluatingSchema).length > 0 || (evaluatingSchema !== schema && keyword in evaluatingSchema)),
    )
    return isEvaluated ? [] : [toSchema(subschema)]
  }

  #createChild(findSchemas: (schemas: readonly Schema[]) => readonly Schema[], isCombination: boolean): SchemaView {
    const roots = findSchemas(this.schemas)
    const hasConditions = this.schemas !== this.unconditionalSchemas
    const unconditionalRoots = hasConditions ? findSchemas(this.unconditionalSchemas) : roots
    return this.#views.create(roots, unconditionalRoots, isCombination && roots.length > 1)
  }

  #memoize<Result>(key: string, create: () => Result): Result {
    if (!this.#memo.has(key)) this.#memo.set(key, create())
    return this.#memo.get(key) as Result
  }
}

/** Unites the number types of the branches of one union. */
function uniteNumberTypes(branches: readonly SchemaView[]): NumberType {
  const numericBranches = branches.filter(
    ({ types }) => types === undefined || types.some((type) => /integer|number/.test(type)),
  )
  const numberTypes = [...new Set(numericBranches.map(({ numberType }) => numberType))]
  if (numberTypes.length <= 1) return numberTypes[0]
  // A branch without a number type also accepts bigints. Without int64, handlers expect numbers.
  const areNumbers = numberTypes.every((type) => type === 'integer' || type === 'number')
  return areNumbers ? 'number' : 'mixed'
}

/** Bounds the memory: the values that clients send decide which combinations of branches occur. */
const MAX_COMBINATIONS = 10_000

/** What views ask the validators. */
export interface Validation {
  /** Tells whether a value is valid against a schema that does not require the properties with the hidden names. */
  isValid(schema: Schema, direction: Direction | undefined, hiddenNames: readonly string[], value: unknown): boolean
  /** Does work that validates parts of a value, with one bound for its time and memory. */
  within<Result>(value: unknown, work: () => Result): Result
}

/** The views of a document's schemas. Views of the same schemas are one object, which is created when it is needed first. */
export class SchemaViews {
  readonly root: OpenApi
  readonly validation: Validation
  readonly #views = new Map<string, SchemaView>()
  readonly #unions = new WeakMap<Schema, readonly Union[]>()
  readonly #componentNames = new WeakMap<Schema, string>()
  readonly #ids = new WeakMap<object, number>()
  #lastId = 0
  #combinationCount = 0

  constructor(root: OpenApi, validation: Validation) {
    this.root = root
    this.validation = validation
  }

  /** Returns the view of a value that one schema describes, such as a body. */
  get(schema: Schema | boolean): SchemaView {
    const roots = [toSchema(schema)]
    return this.create(roots, roots, false)
  }

  /** `unconditionalRoots` are those of the schemas that describe the value whatever the values around it are. */
  create(schemas: readonly Schema[], unconditionalSchemas: readonly Schema[], isCombination: boolean): SchemaView {
    const roots = schemas.map((schema) => this.#followReference(schema))
    const unconditionalRoots =
      schemas === unconditionalSchemas ? roots : unconditionalSchemas.map((schema) => this.#followReference(schema))
    const [rootsKey, unconditionalKey] = [this.#getKey(roots), this.#getKey(unconditionalRoots)]
    const key = rootsKey === unconditionalKey ? rootsKey : `${rootsKey} ${unconditionalKey}`
    return this.#share(key, isCombination, () => new SchemaView(this, roots, unconditionalRoots, isCombination))
  }

  /** Returns the view with the selected branches of another view. */
  shareSelected(view: SchemaView, branches: readonly Schema[]): SchemaView {
    const key = `${this.#getKey([view])} + ${this.#getKey(branches)}`
    return this.#share(key, view.isCombination || branches.length > 1, () => view.createSelected(branches))
  }

  getUnions(schema: Schema): readonly Union[] {
    const cachedUnions = this.#unions.get(schema)
    if (cachedUnions !== undefined) return cachedUnions
    const unions = createUnions(schema, (branch) => this.get(branch))
    this.#unions.set(schema, unions)
    return unions
  }

  getComponentName(schema: Schema | undefined): string | undefined {
    return schema && this.#componentNames.get(schema)
  }

  /** True if a schema says that its values are `readOnly`, whichever branches they satisfy. */
  isReadOnly(schema: Schema): boolean {
    const { conjuncts, unions } = this.get(schema)
    return (
      conjuncts.some(({ readOnly }) => readOnly === true) ||
      unions.some(({ isAlternative, branches }) => isAlternative && branches.every((branch) => this.isReadOnly(branch)))
    )
  }

  /** Returns the target of a mere reference. Otherwise, each use of a component would have a view of its own. */
  #followReference(schema: Schema): Schema {
    const { $ref } = schema
    if ($ref === undefined || Object.keys(schema).length > 1) return schema
    const target = toSchema(getTarget(this.root, $ref))
    const schemaAtEnd = this.#followReference(target)
    const [, componentName] = /^#\/components\/schemas\/([^/]+)$/.exec($ref) ?? []
    if (componentName !== undefined && !this.#componentNames.has(schemaAtEnd)) {
      this.#componentNames.set(schemaAtEnd, componentName)
    }
    return schemaAtEnd
  }

  #share(key: string, isCombination: boolean, create: () => SchemaView): SchemaView {
    const cachedView = this.#views.get(key)
    if (cachedView !== undefined) return cachedView
    const view = create()
    if (!isCombination || this.#combinationCount++ < MAX_COMBINATIONS) this.#views.set(key, view)
    return view
  }

  #getKey(objects: readonly object[]): string {
    for (const object of objects) if (!this.#ids.has(object)) this.#ids.set(object, ++this.#lastId)
    return objects.map((object) => this.#ids.get(object)).join()
  }
}

/** Creates something for each view once. */
export function memoizeByView<Result>(create: (view: SchemaView) => Result): (view: SchemaView) => Result {
  const results = new WeakMap<SchemaView, Result>()
  return (view) => {
    const cachedResult = results.get(view)
    if (cachedResult !== undefined) return cachedResult
    const result = create(view)
    results.set(view, result)
    return result
  }
}

/** Compiles a function for each view once. It is compiled at its first call, because views may contain themselves. */
export function compileForViews<Args extends unknown[], Result>(
  compile: (view: SchemaView) => (...args: Args) => Result,
): (view: SchemaView) => (...args: Args) => Result {
  return memoizeByView((view) => {
    let compiled: ((...args: Args) => Result) | undefined
    return (...args) => {
      compiled ??= compile(view)
      return compiled(...args)
    }
  })
}
