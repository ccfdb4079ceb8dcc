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
 *
 * The sets of schemas of a view grow in three steps:
 *
 *     roots       the subschemas for this value in the schemas of the enclosing value; of a body, its schema
 *       | $ref, allOf
 *     conjuncts   describe the value whichever of its branches it satisfies
 *       | anyOf, oneOf, then, else, dependentSchemas
 *     schemas     describe the value if it satisfies the branches that lead to them
 *
 * The branches of the enclosing values matter as well. The roots of `status` in Animal come from a branch of Animal, so `status`
 * has no unconditional root: its schema describes the value of `status` only in some values of Animal.
 */
import type { Direction, OpenApi, Schema } from '../document/model.ts'
import { ANY, NEVER } from '../document/references.ts'
import type { SchemaType } from '../shared/json.ts'
import { findConjuncts, findPossibleSchemas } from './applicators.ts'
import type { Branching } from './branching.ts'
import { createContext, type SchemaContext, UNDIRECTED } from './context.ts'
import { findHiddenNames, findPossiblyReadOnlyNames, isHidden } from './hidden.ts'
import { findItemSchemas, findPropertySchemas, getPropertySchemas } from './members.ts'
import { findMentionedTypes, findNumberType, findTypes, isBinary, type NumberType } from './types.ts'

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

  /** Only `SchemaViews` creates views, and shares them. */
  constructor(views: SchemaViews, options: ViewOptions) {
    const { roots, unconditionalRoots, isClientChosen, origin } = options
    const { root } = views
    this.#views = views
    this.#options = options
    this.isClientChosen = isClientChosen
    this.conjuncts = findConjuncts(root, roots)
    this.unconditionalSchemas = unconditionalRoots === roots ? this.conjuncts : findConjuncts(root, unconditionalRoots)
    // The branches of the origin are selected; those of the selected branches are not.
    const addedSchemas = this.conjuncts.filter((schema) => origin?.conjuncts.includes(schema) !== true)
    this.branchings = addedSchemas.flatMap((schema) => views.getBranchings(schema))
    const branches = this.branchings.flatMap((branching) => branching.branches)
    this.schemas =
      branches.length === 0 ? this.conjuncts : [...new Set([...this.conjuncts, ...findPossibleSchemas(root, branches)])]
  }

  // The schemas of the value

  /** One schema that means the same as the view. */
  get schema(): Schema {
    const { roots } = this.#options
    const [firstRoot = ANY] = roots
    return roots.length <= 1 ? firstRoot : this.#memoize('schema', () => ({ allOf: roots }))
  }

  /** The name of the component that is the only root of the view; undefined without one. */
  get componentName(): string | undefined {
    const { roots } = this.#options
    return roots.length === 1 ? this.#views.getComponentName(roots[0]) : undefined
  }

  /** A view for each root by itself. */
  get rootViews(): readonly SchemaView[] {
    return this.#memoize('rootViews', () => this.#options.roots.map((schema) => this.#views.get(schema)))
  }

  /** A view for each root that describes the value whichever branches the enclosing values satisfy. */
  get unconditionalRootViews(): readonly SchemaView[] {
    const { unconditionalRoots } = this.#options
    return this.#memoize('unconditionalRootViews', () => unconditionalRoots.map((schema) => this.#views.get(schema)))
  }

  /** The view of all these roots together. */
  get unconditionalView(): SchemaView {
    const { unconditionalRoots } = this.#options
    return this.#views.share({ roots: unconditionalRoots, unconditionalRoots, isClientChosen: false })
  }

  /** A view for each root, if some roots come from branches of the enclosing values; otherwise []. */
  get conditionalRootViews(): readonly SchemaView[] {
    const { roots, unconditionalRoots } = this.#options
    return roots.length > unconditionalRoots.length ? this.rootViews : []
  }

  /** The views of branches, in one list for each `anyOf` and `oneOf`: a valid value satisfies a branch of each list. */
  get branchViews(): readonly (readonly SchemaView[])[] {
    return this.#memoize('branchViews', () =>
      this.branchings
        .filter(({ mustMatch }) => mustMatch)
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
    const { unconditionalRoots } = this.#options
    // One branch of each view makes as many views as the document has schemas; a client may choose any combination.
    const isClientChosen = this.isClientChosen || branches.length > 1
    return { roots: [...this.conjuncts, ...branches], unconditionalRoots, isClientChosen, origin: this }
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
    return this.#memoize('numberType', () => findNumberType(this))
  }

  /** True if no schema mentions arrays or objects: a text is read as one value. */
  get isScalar(): boolean {
    return !this.mentionedTypes.some((type) => type === 'array' || type === 'object')
  }

  /** True if some branch, or every value, is bytes: a file of a form, or a body. */
  get mayBeBytes(): boolean {
    return this.schemas.some(isBinary)
  }

  /**
   * The default of a property or item that is missing; undefined without a valid default. Only an unconditional schema has one:
   * otherwise, a default could decide which branch a value satisfies.
   */
  get default(): unknown {
    return this.#memoize('default', () => {
      const value = this.unconditionalSchemas.find((schema) => 'default' in schema)?.default
      if (value === undefined) return undefined
      const { isValid } = this.#views.validation
      return this.#options.unconditionalRoots.every((schema) => isValid(value, schema, UNDIRECTED)) ? value : undefined
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
    return this.#createMember((schemas) => findPropertySchemas(this.#with(schemas), name), isClientChosen)
  }

  #createItem(index: number): SchemaView {
    return this.#createMember((schemas) => findItemSchemas(this.#with(schemas), index), false)
  }

  #with(schemas: readonly Schema[]) {
    return { root: this.#views.root, schemas, allSchemas: this.schemas }
  }

  /** Creates the view of a property or item, whose subschemas `findRoots` finds in schemas of this view. */
  #createMember(findRoots: (schemas: readonly Schema[]) => readonly Schema[], isClientChosen: boolean): SchemaView {
    const roots = findRoots(this.schemas)
    const isUnconditional = this.schemas === this.unconditionalSchemas
    const unconditionalRoots = isUnconditional ? roots : findRoots(this.unconditionalSchemas)
    // A view of one root exists at most once for each schema of the document.
    const isCombination = roots.length > 1
    return this.#views.share({
      roots,
      unconditionalRoots,
      isClientChosen: isCombination && (isClientChosen || this.isClientChosen),
    })
  }

  #memoize<Result>(key: string, create: () => Result): Result {
    if (!this.#memo.has(key)) this.#memo.set(key, create())
    return this.#memo.get(key) as Result
  }
}

/** What a view is made of. */
export interface ViewOptions {
  readonly roots: readonly Schema[]
  /** The roots that do not come from branches of the enclosing values. */
  readonly unconditionalRoots: readonly Schema[]
  readonly isClientChosen: boolean
  /** The view whose `select` returned this view. */
  readonly origin?: SchemaView
}

/** The views of a document's schemas. Views of the same schemas are one object, which is created when it is needed first. */
export interface SchemaViews {
  readonly root: OpenApi
  readonly validation: Validation
  /** Returns the view of a value that one schema describes, such as a body. */
  get(schema: Schema | boolean): SchemaView
  /** Returns the view with these roots. */
  share(options: ViewOptions): SchemaView
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
