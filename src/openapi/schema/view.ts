/**
 * A schema view is the set of all schemas that describe one value: a schema, what it refers to, what it combines by `allOf`, and
 * the branches of `oneOf` and the like. How a value is validated, converted, written, read from text, and typed follows from all of these
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
 *
 * A view has three sets of schemas, each within the next one:
 *
 *     declarations   the subschemas for this value in the schemas of the enclosing value; of a body, its schema
 *       | and through $ref and allOf:
 *     conjuncts      describe the value whichever of its branches it satisfies
 *       | and through anyOf, oneOf, then, else and dependentSchemas:
 *     schemas        describe the value if it satisfies the branches that lead to them
 *
 * The branches of the enclosing values matter as well. `status` of Animal has one declaration, in NewPet. It is not unconditional,
 * because only a branch of Animal leads to NewPet.
 */
import type { Direction, OpenApi, Schema } from '../document/model.ts'
import { ANY, NEVER } from '../document/subschemas.ts'
import { isNumber, isObject, type SchemaType } from '../shared/json.ts'
import { findConjuncts, findPossibleSchemas } from './applicators.ts'
import type { Branching } from './branching.ts'
import { createContext, type SchemaContext, UNDIRECTED } from './context.ts'
import { findHiddenNames, findPossiblyReadOnlyNames, isHidden } from './hidden.ts'
import { findItemSchemas, findPropertySchemas, getPropertySchemas } from './members.ts'
import { findMentionedTypes, findNumberType, findTypes, type Int64Type, isBinary, type NumberType } from './types.ts'

/** All schemas that describe one value. Only `SchemaViews` creates views, and shares them. */
export class SchemaView {
  /** All schemas that describe the value; those of all branches, unless branches have been selected. */
  readonly schemas: readonly Schema[]
  /** The schemas that describe the value whichever of its branches it satisfies. */
  readonly conjuncts: readonly Schema[]
  /** The conjuncts that describe the value whichever branches the enclosing values satisfy. */
  readonly unconditionalSchemas: readonly Schema[]
  /** The branching keywords of the conjuncts whose branches have not been selected. */
  readonly branchings: readonly Branching[]
  /** True if clients determine which such views exist, so that `SchemaViews` must bound their number. */
  readonly isClientChosen: boolean
  readonly #views: SchemaViews
  readonly #options: ViewOptions
  readonly #memo = new Map<string, unknown>()

  constructor(views: SchemaViews, options: ViewOptions) {
    const { declarations, unconditionalDeclarations, isClientChosen, origin } = options
    const { root } = views
    this.#views = views
    this.#options = options
    this.isClientChosen = isClientChosen
    this.conjuncts = findConjuncts(root, declarations)
    this.unconditionalSchemas =
      unconditionalDeclarations === declarations ? this.conjuncts : findConjuncts(root, unconditionalDeclarations)
    // Skip the conjuncts of the origin, whose branches are selected. The branches of added schemas are not.
    const addedSchemas = this.conjuncts.filter((schema) => origin?.conjuncts.includes(schema) !== true)
    this.branchings = addedSchemas.flatMap((schema) => views.getBranchings(schema))
    const branches = this.branchings.flatMap((branching) => branching.branches)
    this.schemas =
      branches.length === 0 ? this.conjuncts : [...new Set([...this.conjuncts, ...findPossibleSchemas(root, branches)])]
  }

  // The schemas of the value

  /** One schema that means the same as the view. */
  get schema(): Schema {
    const { declarations } = this.#options
    const [firstDeclaration = ANY] = declarations
    return declarations.length <= 1 ? firstDeclaration : this.#memoize('schema', () => ({ allOf: declarations }))
  }

  /** The name of the component that is the only declaration; undefined without one. */
  get componentName(): string | undefined {
    const { declarations } = this.#options
    return declarations.length === 1 ? this.#views.getComponentName(declarations[0]) : undefined
  }

  /** A view for each declaration by itself. */
  get declarationViews(): readonly SchemaView[] {
    return this.#memoize('declarationViews', () => this.#options.declarations.map((schema) => this.#views.get(schema)))
  }

  /** A view for each unconditional declaration by itself. */
  get unconditionalDeclarationViews(): readonly SchemaView[] {
    const { unconditionalDeclarations } = this.#options
    return this.#memoize('unconditionalDeclarationViews', () =>
      unconditionalDeclarations.map((schema) => this.#views.get(schema)),
    )
  }

  /** The view of all unconditional declarations together. */
  get unconditionalView(): SchemaView {
    const { unconditionalDeclarations } = this.#options
    return this.#views.getByDeclarations({
      declarations: unconditionalDeclarations,
      unconditionalDeclarations,
      isClientChosen: false,
    })
  }

  /** A view for each declaration, if some come from branches of the enclosing values; otherwise []. */
  get branchDeclarationViews(): readonly SchemaView[] {
    const { declarations, unconditionalDeclarations } = this.#options
    return declarations.length > unconditionalDeclarations.length ? this.declarationViews : []
  }

  /** The views of branches, in one list for each union: a valid value satisfies a branch of each list. */
  get branchViews(): readonly (readonly SchemaView[])[] {
    return this.#memoize('branchViews', () =>
      this.branchings
        .filter(({ isUnion }) => isUnion)
        .map(({ branches }) => branches.map((branch) => this.#views.get(branch))),
    )
  }

  /**
   * Returns the view of a valid value, with the schemas of the branches that the value satisfies, and without those of other
   * branches. Returns undefined if the value satisfies no branch of `anyOf` or `oneOf`.
   */
  select(value: unknown, direction: Direction | undefined): SchemaView | undefined {
    if (this.branchings.length === 0) return this
    const { isValid } = this.#views.validation
    const hiddenNames = this.getHiddenNames(direction)
    const branchContext = createContext(direction, hiddenNames)
    const selectedSchemas: Schema[] = []
    for (const branching of this.branchings) {
      const schemas = branching.select(value, hiddenNames, (schema, kind) =>
        isValid(value, schema, kind === 'condition' ? UNDIRECTED : branchContext),
      )
      if (schemas === undefined) return undefined
      selectedSchemas.push(...schemas)
    }
    // The selected branches may have branches in turn.
    return this.#views.selectBranches(this, selectedSchemas).select(value, direction)
  }

  /** Returns the options of the view in which these branches are selected. */
  getSelectedOptions(branches: readonly Schema[]): ViewOptions {
    const { unconditionalDeclarations } = this.#options
    // With one branch each, there are about as many views as schemas; of several branches, clients choose the combination.
    const isClientChosen = this.isClientChosen || branches.length > 1
    return { declarations: [...this.conjuncts, ...branches], unconditionalDeclarations, isClientChosen, origin: this }
  }

  // The value itself

  /** True if no schema limits the value. */
  get isUnconstrained(): boolean {
    return this.schemas.every((schema) => schema === ANY)
  }

  /** True if no value is valid. */
  get isNever(): boolean {
    return this.conjuncts.includes(NEVER)
  }

  /** The types that values may have: undefined for any type, [] if the schemas contradict each other. */
  get types(): readonly SchemaType[] | undefined {
    return this.#memoize('types', () => findTypes(this))
  }

  /** The types that any schema mentions or implies: [] if no schema limits the types. */
  get mentionedTypes(): readonly SchemaType[] {
    return this.#memoize('mentionedTypes', () => findMentionedTypes(this))
  }

  /** What handlers receive as a number: see `NumberType`. */
  get numberType(): NumberType {
    return this.#memoize('numberType', () => findNumberType(this, this.#views.int64))
  }

  /** True if no schema mentions arrays or objects: a text is read as one value. */
  get isScalar(): boolean {
    return !this.mentionedTypes.some((type) => type === 'array' || type === 'object')
  }

  /** True if a schema says that the value is bytes, perhaps that of a branch. Bytes are a body, or a file of a form. */
  get mayBeBytes(): boolean {
    return this.schemas.some(isBinary)
  }

  /**
   * The default of a property or item that is missing; undefined without a valid default. Defaults of branches do not count.
   * Otherwise, a default could decide which branch a value satisfies.
   */
  get default(): unknown {
    return this.#memoize('default', () => {
      const value = this.unconditionalSchemas.find((schema) => 'default' in schema)?.default
      if (value === undefined) return undefined
      const { isValid } = this.#views.validation
      const isValidDefault = this.#options.unconditionalDeclarations.every((schema) =>
        isValid(value, schema, UNDIRECTED),
      )
      return isValidDefault && fitsNumbers(this, value) ? value : undefined
    })
  }

  // Its properties and items

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

  /** True with `patternProperties`: the schemas of a property that is not in `properties` depend on its name. */
  get hasPatterns(): boolean {
    return this.schemas.some(({ patternProperties }) => patternProperties !== undefined)
  }

  /**
   * True if a keyword evaluates the property, which makes it declared (JSON Schema 2020-12, section 11). The name undefined
   * stands for any property that neither a name nor a pattern declares.
   */
  declares(name: string | undefined): boolean {
    return this.schemas.some(
      (schema) => 'unevaluatedProperties' in schema || getPropertySchemas(schema, name).length > 0,
    )
  }

  /** Returns the view of a property. Without `patternProperties`, all undeclared properties have the same view. */
  property(name: string): SchemaView {
    if (this.propertyNames.has(name)) return this.#memoize(`property ${name}`, () => this.#createProperty(name, false))
    // Do not memoize: clients choose the names.
    return this.hasPatterns ? this.#createProperty(name, true) : this.undeclaredProperty
  }

  /** The view of a property that neither a name nor a pattern declares. */
  get undeclaredProperty(): SchemaView {
    return this.#memoize('undeclaredProperty', () => this.#createProperty(undefined, false))
  }

  /** The views of all properties that the schemas describe: by name, by pattern, and all others. */
  get memberViews(): readonly SchemaView[] {
    return this.#memoize('memberViews', () => [
      ...[...this.propertyNames].map((name) => this.property(name)),
      ...this.schemas.flatMap(({ patternProperties = {} }) =>
        Object.values(patternProperties).map((schema) => this.#views.get(schema)),
      ),
      this.undeclaredProperty,
    ])
  }

  /** The views of items by index. The last one is also the view of all further items. */
  get items(): readonly SchemaView[] {
    return this.#memoize('items', () => {
      const prefixLength = Math.max(0, ...this.schemas.map(({ prefixItems = [] }) => prefixItems.length))
      return Array.from({ length: prefixLength + 1 }, (_each, index) => this.#createItem(index))
    })
  }

  /** Returns the view of an item. */
  item(index: number): SchemaView {
    return this.items[Math.min(index, this.items.length - 1)] as SchemaView
  }

  // What messages in a direction lack: see hidden.ts

  /** True if messages in the direction lack the value, whichever branches apply. */
  isHidden(direction: Direction | undefined): boolean {
    return isHidden(this, direction)
  }

  /** True if messages in the direction lack a property, whichever branches the value satisfies. */
  isPropertyHidden(name: string, direction: Direction | undefined): boolean {
    const { origin } = this.#options
    return origin?.isPropertyHidden(name, direction) === true || this.property(name).isHidden(direction)
  }

  /** Returns the declared or required properties that messages in the direction lack, whichever branches apply. */
  getHiddenNames(direction: Direction | undefined): readonly string[] {
    return this.#memoize(`hiddenNames ${direction}`, () => findHiddenNames(this, direction))
  }

  /** The properties that requests may lack, because a branch hides them. */
  get possiblyReadOnlyNames(): readonly string[] {
    return this.#memoize('possiblyReadOnlyNames', () => findPossiblyReadOnlyNames(this))
  }

  #createProperty(name: string | undefined, isClientChosen: boolean): SchemaView {
    const { root } = this.#views
    const findDeclarations = (schemas: readonly Schema[]) =>
      findPropertySchemas({ root, schemas, allSchemas: this.schemas }, name)
    return this.#createMember(findDeclarations, isClientChosen)
  }

  #createItem(index: number): SchemaView {
    const { root } = this.#views
    const findDeclarations = (schemas: readonly Schema[]) =>
      findItemSchemas({ root, schemas, allSchemas: this.schemas }, index)
    return this.#createMember(findDeclarations, false)
  }

  /** Creates the view of a property or item, whose declarations the function finds in schemas of this view. */
  #createMember(
    findDeclarations: (schemas: readonly Schema[]) => readonly Schema[],
    isClientChosen: boolean,
  ): SchemaView {
    const declarations = findDeclarations(this.schemas)
    const isUnconditional = this.schemas === this.unconditionalSchemas
    const unconditionalDeclarations = isUnconditional ? declarations : findDeclarations(this.unconditionalSchemas)
    // A view of one declaration needs no bound: the document has one such view for each schema at most.
    const isCombination = declarations.length > 1
    return this.#views.getByDeclarations({
      declarations,
      unconditionalDeclarations,
      isClientChosen: isCombination && (isClientChosen || this.isClientChosen),
    })
  }

  #memoize<Result>(key: string, create: () => Result): Result {
    if (!this.#memo.has(key)) this.#memo.set(key, create())
    return this.#memo.get(key) as Result
  }
}

/**
 * True if numbers hold the integers of a default exactly, where handlers receive numbers. Otherwise, the converter rejects the
 * filled-in default, and with it a request whose client has not sent that integer.
 */
function fitsNumbers(view: SchemaView, value: unknown): boolean {
  if (isNumber(value)) return view.numberType !== 'integer' || Number.isSafeInteger(value)
  const selectedView = view.select(value, 'request') ?? view
  if (Array.isArray(value)) return value.every((item, index) => fitsNumbers(selectedView.item(index), item))
  if (!isObject(value)) return true
  return Object.entries(value).every(([name, member]) => fitsNumbers(selectedView.property(name), member))
}

/** What a view is made of. */
export interface ViewOptions {
  /** In a view that `select` returns: the conjuncts of its origin, and the selected branches. */
  readonly declarations: readonly Schema[]
  /** The declarations that do not come from branches of the enclosing values. */
  readonly unconditionalDeclarations: readonly Schema[]
  readonly isClientChosen: boolean
  /** The view whose `select` returns this view. */
  readonly origin?: SchemaView
}

/** The views of a document's schemas. Views of the same schemas are one object, which is created when it is needed first. */
export interface SchemaViews {
  readonly root: OpenApi
  readonly validation: Validation
  /** What handlers receive and return as an int64. */
  readonly int64: Int64Type
  /** Returns the view of a value that one schema describes, such as a body. */
  get(schema: Schema | boolean): SchemaView
  /** Returns the view with these declarations. */
  getByDeclarations(options: ViewOptions): SchemaView
  /** Returns the view with the schemas of another view and of the selected branches. */
  selectBranches(view: SchemaView, branches: readonly Schema[]): SchemaView
  /** Returns the branching keywords of one schema. */
  getBranchings(schema: Schema): readonly Branching[]
  /** Returns the name of the component that a reference has led to; undefined for other schemas. */
  getComponentName(schema: Schema | undefined): string | undefined
}

/** What views ask the validators, and those who work with views. */
export interface Validation {
  /** True if a value is valid against a schema in a context. */
  isValid(value: unknown, schema: Schema, context: SchemaContext): boolean
  /** Runs work that validates parts of a value, with one bound for its time and memory. */
  runBounded<Result>(value: unknown, work: () => Result): Result
}

/** Memoizes `create` by view. */
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

/** Compiles a function for each view once, at its first call: views may contain themselves. */
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
