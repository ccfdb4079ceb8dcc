/** Creates and shares the views of a document's schemas (view.ts). */
import type { OpenApi, Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import { createSchemaSearch, toSchema } from '../document/subschemas.ts'
import { createJoinIds, memoize } from '../document/values.ts'
import { BoundedCache } from './bounded-cache.ts'
import { createBranchings } from './branching.ts'
import type { Int64Type } from './types.ts'
import { SchemaView, type StaticViews, type ViewOptions } from './view.ts'

/** The most views of several declarations, each of kilobytes: clients choose combinations of branches and of patterns. */
const MAX_COMBINED = 1000

/**
 * Creates the views of a document's schemas. Views with the same key are one object:
 *
 * | key     | view                                                  |
 * |---------|-------------------------------------------------------|
 * | `3`     | of the declaration 3                                  |
 * | `3,7`   | of the declarations 3 and 7                           |
 * | `3,7 3` | of the declarations 3 and 7, and a branch leads to 7  |
 * | `12+5`  | of the view 12 with its branch 5, which is selected   |
 * | `12<15` | as 12, and hides what its `unselectedView` 15 hides:  |
 * |         | 12 is a member of a selected view, and 15 the same    |
 * |         | member before the selection                           |
 */
export function createStaticViews(root: OpenApi, int64: Int64Type): StaticViews {
  /** The views of one declaration each: the document bounds their number. */
  const viewsByDeclaration = new Map<string, SchemaView>()
  const combinedViews = new BoundedCache<string, SchemaView>(MAX_COMBINED)
  const joinIds = createJoinIds()

  const views: StaticViews = {
    root,
    int64,

    get(schema) {
      return views.getByDeclarations({ declarations: [toSchema(schema)] })
    },

    getByDeclarations({ unselectedView, ...options }) {
      const declarations = followReferences(options.declarations)
      const unconditionalDeclarations =
        options.unconditionalDeclarations && followReferences(options.unconditionalDeclarations)
      const key = joinIds(declarations)
      const unconditionalKey = unconditionalDeclarations && joinIds(unconditionalDeclarations)
      const view =
        unconditionalKey === undefined || unconditionalKey === key
          ? share(key, { declarations })
          : share(`${key} ${unconditionalKey}`, { declarations, unconditionalDeclarations })
      // Most schemas hide nothing: share their views.
      if (unselectedView === undefined || unselectedView === view || !unselectedView.schemas.some(views.hasMarks))
        return view
      return combinedViews.get(
        `${joinIds([view])}<${joinIds([unselectedView])}`,
        () => new SchemaView(views, { declarations, unconditionalDeclarations, unselectedView }),
      )
    },

    selectBranches(origin, branches) {
      const create = () =>
        new SchemaView(views, {
          declarations: [...origin.conjuncts, ...branches],
          unconditionalDeclarations: origin.unconditional.declarations,
          decidedConjuncts: origin.conjuncts,
          unselectedView: origin,
        })
      return combinedViews.get(`${joinIds([origin])}+${joinIds(branches)}`, create)
    },

    hasMarks: createSchemaSearch(root, ({ readOnly, writeOnly }) => readOnly === true || writeOnly === true),
    getBranchings: memoize(createBranchings),
  }

  /**
   * Returns the target of each schema that is only a `$ref`, and any other schema as it is, each once. Otherwise, each use of a component
   * has another view.
   */
  function followReferences(schemas: readonly Schema[]): readonly Schema[] {
    return [...new Set(schemas.map(followReference))]
  }

  function followReference(schema: Schema): Schema {
    const { $ref } = schema
    if ($ref === undefined || Object.keys(schema).length > 1) return schema
    return followReference(toSchema(getReferences(root).getTarget($ref)))
  }

  function share(key: string, options: ViewOptions): SchemaView {
    const create = () => new SchemaView(views, options)
    if (options.declarations.length > 1) return combinedViews.get(key, create)
    const view = viewsByDeclaration.get(key) ?? create()
    viewsByDeclaration.set(key, view)
    return view
  }

  return views
}
