/** Creates and shares the views of a document's schemas (view.ts). */
import type { OpenApi, Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import { toSchema } from '../document/subschemas.ts'
import { BoundedCache } from './bounded-cache.ts'
import { type Branching, createBranchings } from './branching.ts'
import type { Int64Type } from './types.ts'
import { SchemaView, type StaticViews, type ViewOptions } from './view.ts'

/** Creates the views of a document's schemas. */
export function createStaticViews(root: OpenApi, int64: Int64Type): StaticViews {
  /** The views of one declaration each: the document bounds their number. */
  const viewsByDeclaration = new Map<string, SchemaView>()
  /** All other views. */
  const combinedViews = new BoundedCache<string, SchemaView>(MAX_COMBINED)
  const cachedBranchings = new WeakMap<Schema, readonly Branching[]>()
  const getKey = createKeys()

  const views: StaticViews = {
    root,
    int64,

    get(schema) {
      const declarations = [followReference(toSchema(schema))]
      return share(getKey(declarations), { declarations, unconditionalDeclarations: declarations })
    },

    getByDeclarations(options) {
      const declarations = options.declarations.map(followReference)
      const unconditionalDeclarations = options.unconditionalDeclarations.map(followReference)
      const [key, unconditionalKey] = [getKey(declarations), getKey(unconditionalDeclarations)]
      if (key === unconditionalKey) return share(key, { declarations, unconditionalDeclarations: declarations })
      // `3,7 3`: the declarations 3 and 7, of which a branch leads to 7.
      return share(`${key} ${unconditionalKey}`, { declarations, unconditionalDeclarations })
    },

    selectBranches(origin, branches) {
      // `12 + 5`: the view 12, and the branch 5.
      return combinedViews.get(`${getKey([origin])} + ${getKey(branches)}`, () => {
        const unconditionalDeclarations = origin.unconditional.declarations
        return new SchemaView(views, {
          declarations: [...origin.conjuncts, ...branches],
          unconditionalDeclarations,
          origin,
        })
      })
    },

    getBranchings(schema) {
      const branchings = cachedBranchings.get(schema) ?? createBranchings(schema)
      cachedBranchings.set(schema, branchings)
      return branchings
    },
  }

  /**
   * Returns the target of a schema that is only a `$ref`, and any other schema as it is. Otherwise, each use of a component has
   * another view.
   */
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

/** Clients choose combinations of branches and of patterns. */
const MAX_COMBINED = 10_000

/** Creates the function that makes a key of a list of objects, such as `3,7`: the same key for the same objects. */
function createKeys(): (objects: readonly object[]) => string {
  const ids = new WeakMap<object, number>()
  let lastId = 0

  function getId(object: object): number {
    const id = ids.get(object) ?? ++lastId
    ids.set(object, id)
    return id
  }

  return (objects) => objects.map(getId).join()
}
