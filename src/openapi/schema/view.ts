/**
 * A view: all schemas that describe one value, and what they say together. It is static: it reads schemas, and never asks whether a
 * value is valid. All code that validates, converts, writes, reads or types values asks views. Only views.ts creates and shares them.
 */
import { findConjuncts } from '../document/allowed-values.ts'
import type { Direction, OpenApi, Schema } from '../document/model.ts'
import { ANY, NEVER } from '../document/subschemas.ts'
import type { SchemaType } from '../shared/json.ts'
import { findPossibleSchemas } from './applicators.ts'
import type { Branching } from './branching.ts'
import { findItemSchemas, findPropertySchemas, getPropertySchemas } from './members.ts'
import { findMentionedTypes, findNumberType, findTypes, type Int64Type, isBinary, type NumberType } from './types.ts'

export class SchemaView {
  /** The subschemas for the value in the schemas of the enclosing value; a body has one, its schema. */
  readonly declarations: readonly Schema[]
  /** The declarations, and what they add by `$ref` and `allOf`: the schemas that describe the value. */
  readonly conjuncts: readonly Schema[]
  /** The conjuncts, and what they add by branches: the schemas that describe the value if it satisfies these branches. */
  readonly schemas: readonly Schema[]
  /** The branching keywords of the conjuncts whose branches have not been selected. */
  readonly branchings: readonly Branching[]
  readonly #views: StaticViews
  readonly #unconditionalDeclarations: readonly Schema[] | undefined
  /** The view of the value before the first selection, in the value or in an enclosing one; without a selection, the view itself. */
  readonly #unselectedView: SchemaView
  readonly #memo = new Map<string, unknown>()

  constructor(views: StaticViews, options: ViewOptions) {
    const { declarations, unconditionalDeclarations, decidedConjuncts = [], unselectedView } = options
    const { root } = views
    this.#views = views
    this.#unconditionalDeclarations = unconditionalDeclarations
    // Selections may follow each other: keep the view before the first one.
    this.#unselectedView = unselectedView === undefined ? this : unselectedView.#unselectedView
    this.declarations = declarations
    this.conjuncts = findConjuncts(root, declarations)
    // A branch that refers back to decided conjuncts adds no branchings, so each selection ends.
    const undecidedConjuncts = this.conjuncts.filter((schema) => !decidedConjuncts.includes(schema))
    this.branchings = undecidedConjuncts.flatMap((schema) => views.getBranchings(schema))
    const branches = this.branchings.flatMap((branching) => branching.branches)
    this.schemas =
      branches.length === 0 ? this.conjuncts : [...new Set([...this.conjuncts, ...findPossibleSchemas(root, branches)])]
  }

  /** One schema that means the same as the view. */
  get schema(): Schema {
    const { declarations } = this
    const [firstDeclaration = ANY] = declarations
    return declarations.length <= 1 ? firstDeclaration : this.#memoize('schema', () => ({ allOf: declarations }))
  }

  /** The view without the declarations that only a branch of an enclosing value has; the view itself if there are none such. */
  get unconditional(): SchemaView {
    const declarations = this.#unconditionalDeclarations
    if (declarations === undefined) return this
    return this.#memoize('unconditional', () => this.#views.getByDeclarations({ declarations }))
  }

  /** A view for each declaration by itself. */
  get declarationViews(): readonly SchemaView[] {
    return this.#memoize('declarationViews', () => this.declarations.map((schema) => this.#views.get(schema)))
  }

  /** The views of branches, in one list for each union: a valid value satisfies a branch of each list. */
  get branchViews(): readonly (readonly SchemaView[])[] {
    return this.#memoize('branchViews', () =>
      this.branchings
        .filter(({ isUnion }) => isUnion)
        .map(({ branches }) => branches.map((branch) => this.#views.get(branch))),
    )
  }

  /** True if no value is valid. */
  get isNever(): boolean {
    return this.conjuncts.includes(NEVER)
  }

  /** The types that values may have: undefined for any type, [] if the schemas contradict each other. */
  get types(): readonly SchemaType[] | undefined {
    return this.#memoize('types', () => findTypes(this.conjuncts, this.branchViews))
  }

  /** The types that any schema mentions or implies: [] if no schema limits the types. */
  get mentionedTypes(): readonly SchemaType[] {
    return this.#memoize('mentionedTypes', () => findMentionedTypes(this.schemas))
  }

  /** What handlers receive as a number: see `NumberType`. */
  get numberType(): NumberType {
    const { int64, get } = this.#views
    return this.#memoize('numberType', () => {
      const conditionals = this.branchings
        .filter(({ keyword }) => keyword === 'if')
        .map(({ branches }) => branches.map(get))
      return findNumberType(this.conjuncts, this.branchViews, conditionals, int64)
    })
  }

  /** True if no schema mentions arrays or objects, so that a text is read as one value. */
  get isScalar(): boolean {
    return !this.mentionedTypes.some((type) => type === 'array' || type === 'object')
  }

  /** True if a schema says that the value is bytes, also the schema of a branch. Bytes are a body, or a file of a form. */
  get mayBeBytes(): boolean {
    return this.schemas.some(isBinary)
  }

  /** The most characters that a text may have; Infinity without a limit. */
  get maxLength(): number {
    return this.#memoize('maxLength', () => Math.min(...this.conjuncts.map(({ maxLength = Infinity }) => maxLength)))
  }

  // The properties and items of the value

  /** The most characters that the name of a property may have; Infinity without a limit. */
  get maxNameLength(): number {
    return this.#memoize('maxNameLength', () =>
      Math.min(...this.conjuncts.map(({ propertyNames = true }) => this.#views.get(propertyNames).maxLength)),
    )
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

  /** The names in `properties` or `required`, and those that `dependentRequired` demands beside another property. */
  get mentionedNames(): ReadonlySet<string> {
    return this.#memoize('mentionedNames', () => {
      const lists = this.schemas.flatMap(({ dependentRequired = {} }) => Object.values(dependentRequired))
      return this.propertyNames.union(this.requiredNames).union(new Set(lists.flat()))
    })
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

  /** Returns the view of a property. All undeclared properties have the same view, unless patterns may match some of them. */
  property(name: string): SchemaView {
    // Branches that are not selected count, because they may hide something within the property.
    const viewAndUnselected = [this, this.#unselectedView]
    const isNamed = viewAndUnselected.some(({ propertyNames }) => propertyNames.has(name))
    if (isNamed) return this.#memoize(`property ${name}`, () => this.#createMember(name))
    // Do not memoize: clients choose the names.
    return viewAndUnselected.some(({ hasPatterns }) => hasPatterns) ? this.#createMember(name) : this.undeclaredProperty
  }

  /** The view of a property that neither a name nor a pattern declares. */
  get undeclaredProperty(): SchemaView {
    return this.#memoize('undeclaredProperty', () => this.#createMember(undefined))
  }

  /** A view for the schema of each pattern by itself. For a name that matches several patterns, `property` returns a combined view. */
  get patternViews(): readonly SchemaView[] {
    return this.#memoize('patternViews', () =>
      this.schemas.flatMap(({ patternProperties = {} }) =>
        Object.values(patternProperties).map((schema) => this.#views.get(schema)),
      ),
    )
  }

  /** The views of all properties that the schemas describe: by name, by pattern, and all others. */
  get memberViews(): readonly SchemaView[] {
    return this.#memoize('memberViews', () => [
      ...[...this.propertyNames].map((name) => this.property(name)),
      ...this.patternViews,
      this.undeclaredProperty,
    ])
  }

  /** The views of items by index. The last one is also the view of all further items. */
  get items(): readonly SchemaView[] {
    return this.#memoize('items', () => {
      const schemas = [...this.schemas, ...this.#unselectedView.schemas]
      const prefixLength = Math.max(0, ...schemas.map(({ prefixItems = [] }) => prefixItems.length))
      return Array.from({ length: prefixLength + 1 }, (_each, index) => this.#createMember(index))
    })
  }

  /** Returns the view of an item. */
  item(index: number): SchemaView {
    return this.items[Math.min(index, this.items.length - 1)] as SchemaView
  }

  /** Returns the view of a property or item. */
  member(key: MemberKey): SchemaView {
    if (key === undefined) return this.undeclaredProperty
    return typeof key === 'number' ? this.item(key) : this.property(key)
  }

  // What messages in a direction lack (OpenAPI 3.1, Schema Object, `readOnly` and `writeOnly`)

  /**
   * True if messages in the direction lack the value: a request rejects it, a response leaves it out, and `required` does not demand
   * it. What is hidden before a selection stays hidden.
   *
   * In responses, `writeOnly` in any branch hides, because the value may be a secret. In requests, `readOnly` hides if it applies
   * whichever branches the value satisfies: if an unconditional declaration says it, or each declaration. Branches without a
   * declaration do not count. If one `readOnly` branch were enough, a reference to a pet, `{ id: 7 }`, would be rejected because
   * another branch, a new pet, says that `id` is `readOnly`.
   */
  isHidden(direction: Direction | undefined): boolean {
    if (direction === undefined) return false
    if (this.#unselectedView !== this && this.#unselectedView.isHidden(direction)) return true
    if (direction === 'response') return this.schemas.some(({ writeOnly }) => writeOnly === true)
    const isReadOnlyInEachBranch = () => SchemaView.#areReadOnly(this.declarationViews)
    return this.unconditional.#isReadOnly || isReadOnlyInEachBranch()
  }

  /** True if messages in the direction lack a property. */
  isPropertyHidden(name: string, direction: Direction | undefined): boolean {
    return this.property(name).isHidden(direction)
  }

  /**
   * True if a member may have several declarations, of which one may hide something within the member. Each declaration is validated
   * by itself, so its context needs this view: README.md has an example, "Within members". With patterns, any member may have several
   * declarations. A selected view may lack the declaration that hides, so it counts without a look at its members.
   */
  get hidesWithinMembers(): boolean {
    const { hasMarks } = this.#views
    const mayHideWithin = ({ declarations, schemas }: SchemaView) =>
      (declarations.length > 1 || this.hasPatterns) && schemas.some(hasMarks)
    return this.#memoize(
      'hidesWithinMembers',
      () => this.#unselectedView !== this || [...this.memberViews, ...this.items].some(mayHideWithin),
    )
  }

  /** Returns the declared or required properties that messages in the direction lack. */
  getHiddenNames(direction: Direction | undefined): readonly string[] {
    if (direction === undefined) return []
    return this.#memoize(`hiddenNames ${direction}`, () =>
      [...this.mentionedNames].filter((name) => this.isPropertyHidden(name, direction)),
    )
  }

  /** True if the schemas say `readOnly` whichever branches the value satisfies. */
  get #isReadOnly(): boolean {
    return this.conjuncts.some(({ readOnly }) => readOnly === true) || this.branchViews.some(SchemaView.#areReadOnly)
  }

  /** True if every view says `readOnly`; false for []. */
  static #areReadOnly(alternatives: readonly SchemaView[]): boolean {
    return alternatives.length > 0 && alternatives.every((view) => view.#isReadOnly)
  }

  #createMember(key: MemberKey): SchemaView {
    const { conjuncts } = this.unconditional
    return this.#views.getByDeclarations({
      declarations: this.#findDeclarations(key, this.schemas),
      unconditionalDeclarations: this.schemas === conjuncts ? undefined : this.#findDeclarations(key, conjuncts),
      unselectedView: this.#unselectedView === this ? undefined : this.#unselectedView.member(key),
    })
  }

  /** Finds the declarations of a member in some schemas of the view. */
  #findDeclarations(key: MemberKey, schemas: readonly Schema[]): readonly Schema[] {
    const scope = { root: this.#views.root, schemas, evaluatingSchemas: this.schemas }
    return typeof key === 'number' ? findItemSchemas(scope, key) : findPropertySchemas(scope, key)
  }

  #memoize<Result>(key: string, create: () => Result): Result {
    const cachedResult = this.#memo.get(key)
    if (cachedResult !== undefined || this.#memo.has(key)) return cachedResult as Result
    const result = create()
    this.#memo.set(key, result)
    return result
  }
}

/** The name of a property or the index of an item; undefined stands for a property that neither a name nor a pattern declares. */
export type MemberKey = string | number | undefined

/** What a view is made of. */
export interface ViewOptions {
  /** The subschemas for the value. In a selection, they are the conjuncts before it and the selected branches. */
  readonly declarations: readonly Schema[]
  /** The declarations without those that only a branch of an enclosing value has; undefined if these are all. */
  readonly unconditionalDeclarations?: readonly Schema[] | undefined
  /** The conjuncts before a selection, which has decided their branchings. */
  readonly decidedConjuncts?: readonly Schema[] | undefined
  /** The view before the last selection, in the value or in an enclosing one: what it hides stays hidden. */
  readonly unselectedView?: SchemaView | undefined
}

/**
 * The views of a document's schemas. Views of the same schemas are one object, which is created when it is needed first. Static means
 * without validation: selection.ts adds what depends on it.
 */
export interface StaticViews {
  readonly root: OpenApi
  /** What handlers receive and return as an int64. */
  readonly int64: Int64Type
  /** Returns the view of a value that one schema describes, such as a body. */
  get(schema: Schema | boolean): SchemaView
  /** Returns the view with these declarations. */
  getByDeclarations(options: ViewOptions): SchemaView
  /** Returns the view of a value that selects these branches of a view. */
  selectBranches(view: SchemaView, branches: readonly Schema[]): SchemaView
  /** True if `readOnly` or `writeOnly` is in a schema, or in any that it leads to. */
  hasMarks(schema: Schema): boolean
  /** Returns the branching keywords of one schema. */
  getBranchings(schema: Schema): readonly Branching[]
}
