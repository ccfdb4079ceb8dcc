/** Creates and shares the views of a document's schemas (view.ts). */
import type { OpenApi, Schema } from '../document/model.ts'
import { getReferences } from '../document/references.ts'
import { toSchema } from '../document/subschemas.ts'
import { BoundedCache } from './bounded-cache.ts'
import { type Branching, createBranchings } from './branching.ts'
import type { Int64Type } from './types.ts'
import { SchemaView, type StaticViews } from './view.ts'

/** Creates the views of a document's schemas. */
export function createStaticViews(root: OpenApi, int64: Int64Type): StaticViews {
  /** The views of one declaration each: the document bounds their number. */
  const viewsByDeclaration = new Map<string, SchemaView>()
  /** All other views. */
  const combinedViews = new BoundedCache<string, SchemaView>(MAX_COMBINED)
  const cachedBranchings = new WeakMap<Schema, readonly Branching[]>()
  const componentNames = new WeakMap<Schema, string>()
  const getKey = createKeys()

  const views: StaticViews = {
    root,
    int64,

    get(schema) {
      const declarations = [toSchema(schema)]
      return views.getByDeclarations({ declarations, unconditionalDeclarations: declarations })
    },

    getByDeclarations(options) {
      const declarations = options.declarations.map(followReference)
      const areUnconditional = options.declarations === options.unconditionalDeclarations
      const unconditionalDeclarations = areUnconditional
        ? declarations
        : options.unconditionalDeclarations.map(followReference)
      const [declarationsKey, unconditionalKey] = [getKey(declarations), getKey(unconditionalDeclarations)]
      // `3,7` if the declarations 3 and 7 are unconditional; `3,7 3` if a branch leads to 7.
      const key = declarationsKey === unconditionalKey ? declarationsKey : `${declarationsKey} ${unconditionalKey}`
      const create = () => new SchemaView(views, { ...options, declarations, unconditionalDeclarations })
      return declarations.length > 1 ? combinedViews.get(key, create) : getView(key, create)
    },

    selectBranches(view, branches) {
      // `12 + 5`: the view 12, and the branch 5.
      const key = `${getKey([view])} + ${getKey(branches)}`
      return combinedViews.get(key, () => new SchemaView(views, view.getSelectedOptions(branches)))
    },

    getBranchings(schema) {
      const branchings = cachedBranchings.get(schema) ?? createBranchings(schema)
      cachedBranchings.set(schema, branchings)
      return branchings
    },

    getComponentName: (schema) => schema && componentNames.get(schema),
  }

  /**
   * Returns the target of a schema that is only a `$ref`, and any other schema as it is. Otherwise, each use of a component has
   * another view.
   */
  function followReference(schema: Schema): Schema {
    const { $ref } = schema
    if ($ref === undefined || Object.keys(schema).length > 1) return schema
    const target = followReference(toSchema(getReferences(root).getTarget($ref)))
    noteComponentName($ref, target)
    return target
  }

  /** Notes the name by which a reference leads to a component. At the end of a chain of references, the last name counts. */
  function noteComponentName($ref: string, target: Schema): void {
    const [, componentName] = /^#\/components\/schemas\/([^/]+)$/.exec($ref) ?? []
    if (componentName !== undefined && !componentNames.has(target)) componentNames.set(target, componentName)
  }

  function getView(key: string, create: () => SchemaView): SchemaView {
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
