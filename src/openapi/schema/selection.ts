/** Selection: what only validation tells of a value, namely which branches it satisfies, and whether a default is valid. */
import { getDirectConjuncts } from '../document/allowed-values.ts'
import type { Direction, Schema } from '../document/model.ts'
import { memoize } from '../document/values.ts'
import type { Branching } from './branching.ts'
import {
  createConditionContext,
  createContext,
  createInnerContext,
  getOmittedNames,
  type SchemaContext,
  UNDIRECTED,
} from './context.ts'
import { createGetDispatch, type GetDispatch } from './dispatch.ts'
import type { ValidationRun } from './validation-run.ts'
import type { GetValidator } from './validator.ts'
import type { SchemaView, StaticViews } from './view.ts'

export interface Selection {
  readonly getDispatch: GetDispatch
  /** Creates the function that selects branches of a view. Call it once for each view, and its result for each value. */
  createSelect(view: SchemaView, direction: Direction | undefined): Select
  /** Creates the same function for a view whose schemas have outer schemas. */
  createInnerSelect(view: SchemaView, outerContext: SchemaContext): Select
  /** Returns the default of a missing property or item; undefined without a valid default. Unconditional declarations alone count. */
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

  function createInnerSelect(view: SchemaView, outerContext: SchemaContext): Select {
    const context = createInnerContext(view, outerContext)
    return createSelectStep(view, new Map(view.declarations.map((schema) => [schema, context])))
  }

  /**
   * Creates a step of a selection: it selects branches of the view, and calls the step of the view that has them selected. The first
   * step has the contexts of the view's declarations. Each further step has the context of each schema that the step before has
   * selected, which is the context of its branching.
   */
  function createSelectStep(view: SchemaView, contextsBySchema: ReadonlyMap<Schema, SchemaContext>): Select {
    if (view.branchings.length === 0) return () => view
    const contextsByBranching = findContexts(contextsBySchema)
    const branchings = view.branchings.map((branching) => {
      const context = contextsByBranching.get(branching) as SchemaContext
      return { context, selectSchemas: createSelectSchemas(branching, context) }
    })
    const stepsByView = new WeakMap<SchemaView, Select>()
    return (value) => {
      const nextContexts = new Map<Schema, SchemaContext>()
      for (const { context, selectSchemas } of branchings) {
        const branchSchemas = selectSchemas(value)
        if (branchSchemas === undefined) return undefined
        for (const schema of branchSchemas) nextContexts.set(schema, context)
      }
      const selectedView = views.selectBranches(view, [...nextContexts.keys()])
      // Create the step at the first value that selects these branches: there may be exponentially many combinations.
      const selectFurther = stepsByView.get(selectedView) ?? createSelectStep(selectedView, nextContexts)
      stepsByView.set(selectedView, selectFurther)
      return selectFurther(value)
    }
  }

  /** Creates the function that selects schemas of one branching. A dispatch selects a branch without validating it. */
  function createSelectSchemas(branching: Branching, context: SchemaContext): SelectSchemas {
    const { keyword, selectableSchemas } = branching
    const dispatch = getDispatch(branching, context.hiddenNames)
    if (dispatch !== undefined) {
      return (value) => {
        const branch = dispatch.findBranch(value)
        return branch && [branch]
      }
    }
    const testContext = keyword === 'if' ? createConditionContext(context) : context
    const validators = new Map(selectableSchemas.map((schema) => [schema, getValidator(schema, testContext)]))
    const omittedNames = getOmittedNames(context)
    return (value) => branching.select(value, (schema) => validators.get(schema)?.(value) === undefined, omittedNames)
  }

  /**
   * Finds the context of each branching: the first in which validation evaluates its schema. If there are several contexts, a valid
   * value satisfies a branch in each. With other hidden names, it may be another branch: both are right, and the first one is taken.
   */
  function findContexts(contextsBySchema: ReadonlyMap<Schema, SchemaContext>): ReadonlyMap<Branching, SchemaContext> {
    const contexts = new Map<Branching, SchemaContext>()
    const visited = new Set<Schema>()

    function visit(schema: Schema, outerContext: SchemaContext): void {
      if (visited.has(schema)) return
      visited.add(schema)
      const context = createInnerContext(views.get(schema), outerContext)
      for (const branching of views.getBranchings(schema)) contexts.set(branching, context)
      for (const part of getDirectConjuncts(views.root, schema)) visit(part, context)
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

  return {
    getDispatch,
    createSelect: (view, direction) => createInnerSelect(view, createContext(direction)),
    createInnerSelect,
    getDefault: memoize(findDefault),
    runBounded,
  }
}
