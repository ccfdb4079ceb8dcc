/** Selection: what only validation tells of a value, namely which branches it satisfies, and whether a default is valid. */
import { getParts } from '../document/allowed-values.ts'
import type { Direction, Schema } from '../document/model.ts'
import { memoize } from '../document/values.ts'
import type { Branching } from './branching.ts'
import { addView, createContext, getOmittedNames, type SchemaContext, UNDIRECTED } from './context.ts'
import { createGetDispatch, type GetDispatch } from './dispatch.ts'
import type { ValidationRun } from './validation-run.ts'
import type { GetValidator } from './validator.ts'
import type { SchemaView, StaticViews } from './view.ts'

export interface Selection {
  readonly getDispatch: GetDispatch
  /**
   * Creates the function that selects branches of a view, once for each view: it is called for each value. `outerContext` is the one
   * of the schemas around those of the view.
   */
  createSelect(view: SchemaView, direction: Direction | undefined, outerContext?: SchemaContext): Select
  /**
   * Returns the default of a property or item that is missing; undefined without a valid default. Defaults to which branches lead do
   * not count. Otherwise, a default could decide which branch the enclosing value satisfies.
   */
  getDefault(view: SchemaView): unknown
  /** Runs work that selects branches within a value, with one bound for its time and memory. */
  runBounded: ValidationRun['runBounded']
}

/**
 * Returns the view of a valid value, with the schemas of the branches that the value satisfies, and without those of other branches.
 * Returns undefined if the value satisfies no branch of `anyOf` or `oneOf`. Selected branches may have branches in turn, so there is
 * a step for each level of them. For `{ oneOf: [Pet, { anyOf: [Cat, Dog] }] }` and a dog:
 *
 * | view                          | branchings of the view  | selected branch         |
 * |-------------------------------|-------------------------|-------------------------|
 * | of the whole schema           | `oneOf`                 | `{ anyOf: [Cat, Dog] }` |
 * | … and `{ anyOf: [Cat, Dog] }` | `anyOf`                 | Dog                     |
 * | … and Dog                     | none: this view returns |                         |
 */
export type Select = (value: unknown) => SchemaView | undefined

/** The views of a document's schemas, with what validation tells of values. */
export interface SchemaViews extends StaticViews, Selection {}

/** Returns the schemas that a value selects of one branching; undefined if it satisfies no branch, although it must. */
type SelectSchemas = (value: unknown) => readonly Schema[] | undefined

/** Creates the selection among a document's views. */
export function createSelection(
  views: StaticViews,
  getValidator: GetValidator,
  { runBounded }: ValidationRun,
): Selection {
  const getDispatch = createGetDispatch(views.get)

  function createSelect(
    view: SchemaView,
    direction: Direction | undefined,
    outerContext: SchemaContext = createContext(direction),
  ): Select {
    const context = addView(view, outerContext)
    return createStep(view, new Map(view.declarations.map((schema) => [schema, context])))
  }

  /** Creates a step of a selection: it selects branches of the view, and passes on to the step of the view with these branches. */
  function createStep(view: SchemaView, contextsBySchema: ReadonlyMap<Schema, SchemaContext>): Select {
    if (view.branchings.length === 0) return () => view
    const contextsByBranching = findContexts(contextsBySchema)
    const branchings = view.branchings.map((branching) => {
      const context = contextsByBranching.get(branching) as SchemaContext
      return { context, selectSchemas: createSelectSchemas(branching, context) }
    })
    const nextSteps = new WeakMap<SchemaView, Select>()
    return (value) => {
      const selectedContexts = new Map<Schema, SchemaContext>()
      for (const { context, selectSchemas } of branchings) {
        const branchSchemas = selectSchemas(value)
        if (branchSchemas === undefined) return undefined
        for (const schema of branchSchemas) selectedContexts.set(schema, context)
      }
      const selectedView = views.selectBranches(view, [...selectedContexts.keys()])
      const nextStep = nextSteps.get(selectedView) ?? createStep(selectedView, selectedContexts)
      nextSteps.set(selectedView, nextStep)
      return nextStep(value)
    }
  }

  function createSelectSchemas(branching: Branching, context: SchemaContext): SelectSchemas {
    const { keyword, selectableSchemas } = branching
    const dispatch = getDispatch(branching, context.hiddenNames)
    if (dispatch !== undefined) {
      return (value) => {
        const branch = dispatch.findBranch(value)
        return branch && [branch]
      }
    }
    const testContext = keyword === 'if' ? UNDIRECTED : context
    const validators = new Map(selectableSchemas.map((schema) => [schema, getValidator(schema, testContext)]))
    const omittedNames = getOmittedNames(context)
    return (value) => branching.select(value, (schema) => validators.get(schema)?.(value) === undefined, omittedNames)
  }

  /**
   * Finds the context of each branching, which is the one that its schema has in validation. Several schemas may lead to a schema: the
   * first one counts.
   */
  function findContexts(contextsBySchema: ReadonlyMap<Schema, SchemaContext>): ReadonlyMap<Branching, SchemaContext> {
    const contexts = new Map<Branching, SchemaContext>()
    const visited = new Set<Schema>()

    function visit(schema: Schema, outerContext: SchemaContext): void {
      if (visited.has(schema)) return
      visited.add(schema)
      const context = addView(views.get(schema), outerContext)
      for (const branching of views.getBranchings(schema)) contexts.set(branching, context)
      for (const part of getParts(views.root, schema)) visit(part, context)
    }

    for (const [schema, context] of contextsBySchema) visit(schema, context)
    return contexts
  }

  function findDefault(view: SchemaView): unknown {
    const value = view.unconditional.conjuncts.find((schema) => 'default' in schema)?.default
    if (value === undefined) return undefined
    const validate = getValidator(view.unconditional.schema, UNDIRECTED)
    return runBounded(value, validate) === undefined ? value : undefined
  }

  return { getDispatch, createSelect, getDefault: memoize(findDefault), runBounded }
}
