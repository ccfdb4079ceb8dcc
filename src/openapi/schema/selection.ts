/** Selection: what only validation tells of a value, namely which branches it satisfies, and whether a default is valid. */
import { getParts } from '../document/allowed-values.ts'
import type { Direction, Schema } from '../document/model.ts'
import { isNumber, isObject } from '../shared/json.ts'
import type { Branching } from './branching.ts'
import { addHiddenNames, createContext, getOmittedNames, type SchemaContext, UNDIRECTED } from './context.ts'
import { createGetDispatch, type GetDispatch } from './dispatch.ts'
import type { ValidationRun } from './validation-run.ts'
import type { GetValidator } from './validator.ts'
import { memoizeByView, type SchemaView, type StaticViews } from './view.ts'

export interface Selection {
  readonly getDispatch: GetDispatch
  /**
   * Returns the view of a valid value, with the schemas of the branches that the value satisfies, and without those of other
   * branches. Returns undefined if the value satisfies no branch of `anyOf` or `oneOf`. Selected branches may have branches in turn,
   * so it repeats until none is left. For `{ oneOf: [Pet, { anyOf: [Cat, Dog] }] }` and a dog:
   *
   * | view                          | branchings of the view  | selected branch         |
   * |-------------------------------|-------------------------|-------------------------|
   * | of the whole schema           | `oneOf`                 | `{ anyOf: [Cat, Dog] }` |
   * | … and `{ anyOf: [Cat, Dog] }` | `anyOf`                 | Dog                     |
   * | … and Dog                     | none: this view returns |                         |
   *
   * `outerNames` are the names that the schemas around those of the view hide.
   */
  select(
    view: SchemaView,
    value: unknown,
    direction: Direction | undefined,
    outerNames?: readonly string[],
  ): SchemaView | undefined
  /**
   * Returns the default of a property or item that is missing; undefined without a valid default. Defaults to which branches lead do
   * not count. Otherwise, a default could decide which branch the enclosing value satisfies.
   */
  getDefault(view: SchemaView): unknown
  /** Runs work that selects branches within a value, with one bound for its time and memory. */
  runBounded: ValidationRun['runBounded']
}

/** The views of a document's schemas, with what validation tells of values. */
export interface SchemaViews extends StaticViews, Selection {}

/** The context of the schema that has a branching. */
type ContextByBranching = ReadonlyMap<Branching, SchemaContext>

/** Creates the selection among a document's views. */
export function createSelection(
  views: StaticViews,
  getValidator: GetValidator,
  { runBounded }: ValidationRun,
): Selection {
  const getDispatch = createGetDispatch(views.get)
  const getContextsByDirection = memoizeByView(() => new Map<Direction | undefined, ContextByBranching>())
  const getDefaultEntry = memoizeByView((view) => ({ value: findDefault(view) }))

  function select(
    view: SchemaView,
    value: unknown,
    direction: Direction | undefined,
    outerNames: readonly string[] = [],
  ): SchemaView | undefined {
    if (view.branchings.length === 0) return view
    if (outerNames.length > 0) return selectAll(view, value, findViewContexts(view, direction, outerNames))
    const contextsByDirection = getContextsByDirection(view)
    const contexts = contextsByDirection.get(direction) ?? findViewContexts(view, direction, outerNames)
    contextsByDirection.set(direction, contexts)
    return selectAll(view, value, contexts)
  }

  /** Selects branches until none is left. */
  function selectAll(view: SchemaView, value: unknown, contexts: ContextByBranching): SchemaView | undefined {
    const selected = new Map<Schema, SchemaContext>()
    for (const branching of view.branchings) {
      const context = contexts.get(branching) as SchemaContext
      const dispatch = getDispatch(branching, context.hiddenNames)
      const schemas =
        dispatch === undefined
          ? branching.select(
              value,
              (schema, kind) =>
                runBounded(value, () => isValid(value, schema, kind === 'condition' ? UNDIRECTED : context)),
              getOmittedNames(context),
            )
          : dispatch.findBranch(value)
      if (schemas === undefined) return undefined
      for (const schema of [schemas].flat()) selected.set(schema, context)
    }
    const selectedView = views.selectBranches(view, [...selected.keys()])
    return selectedView.branchings.length === 0 ? selectedView : selectAll(selectedView, value, findContexts(selected))
  }

  function findViewContexts(view: SchemaView, direction: Direction | undefined, outerNames: readonly string[]) {
    const context = createContext(direction, [...new Set([...outerNames, ...view.getHiddenNames(direction)])])
    return findContexts(new Map(view.declarations.map((schema) => [schema, context])))
  }

  /** Finds the context of each branching, which is that of its schema: the same one as in validation. */
  function findContexts(schemas: ReadonlyMap<Schema, SchemaContext>): ContextByBranching {
    const contexts = new Map<Branching, SchemaContext>()
    const visited = new Set<Schema>()

    function visit(schema: Schema, outerContext: SchemaContext): void {
      if (visited.has(schema)) return
      visited.add(schema)
      const context = addHiddenNames(schema, outerContext, views)
      for (const branching of views.getBranchings(schema)) contexts.set(branching, context)
      for (const part of getParts(views.root, schema)) visit(part, context)
    }

    for (const [schema, context] of schemas) visit(schema, context)
    return contexts
  }

  function isValid(value: unknown, schema: Schema, context: SchemaContext): boolean {
    return getValidator(schema, context)(value) === undefined
  }

  function findDefault(view: SchemaView): unknown {
    const value = view.unconditional.conjuncts.find((schema) => 'default' in schema)?.default
    if (value === undefined) return undefined
    const isValidDefault = runBounded(value, () => isValid(value, view.unconditional.schema, UNDIRECTED))
    return isValidDefault && fitsNumbers(view, value) ? value : undefined
  }

  /**
   * True if numbers hold the integers of a default exactly, where handlers receive numbers. Otherwise, the converter rejects the
   * filled-in default, and with it a request whose client has not sent that integer.
   */
  function fitsNumbers(view: SchemaView, value: unknown): boolean {
    if (isNumber(value)) return view.numberType !== 'integer' || Number.isSafeInteger(value)
    const selectedView = select(view, value, 'request') ?? view
    if (Array.isArray(value)) return value.every((item, index) => fitsNumbers(selectedView.item(index), item))
    if (!isObject(value)) return true
    return Object.entries(value).every(([name, member]) => fitsNumbers(selectedView.property(name), member))
  }

  return { getDispatch, select, getDefault: (view) => getDefaultEntry(view).value, runBounded }
}
