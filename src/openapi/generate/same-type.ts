/**
 * Tells whether the name of a component's type may stand for the component within other schemas: a value has the same type there as
 * by itself, unless the other schemas make a bigint of a number, hide a member or make a default invalid. In a request, with
 * `Pet: { properties: { id: { type: integer }, size: { type: integer, default: 5 } } }`:
 *
 * | schema                                                           | type of its Pet                          |
 * |------------------------------------------------------------------|------------------------------------------|
 * | `allOf: [Pet, { required: [id] }]`                               | `Pet`                                    |
 * | `allOf: [Pet, { properties: { id: { format: int64 } } }]`        | written out: `id` may be a bigint        |
 * | `allOf: [Pet, { properties: { id: { readOnly: true } } }]`       | written out without `id`                 |
 * | `allOf: [Pet, { properties: { size: { maximum: 3 } } }]`         | written out: `size` may be missing       |
 */
import type { Direction, Schema } from '../document/model.ts'
import { createSearch } from '../document/reachable.ts'
import { ANY, createSchemaSearch } from '../document/subschemas.ts'
import { memoize } from '../document/values.ts'
import type { NumberType } from '../schema/types.ts'
import type { SchemaView } from '../schema/view.ts'
import { findContestedSchemas } from './contested-schemas.ts'
import type { TypeContext } from './type-context.ts'
import type { TypedDocument } from './typed-document.ts'

/** True if a component has the same type in a context as by itself. `hasDefaults` is true in requests where defaults are filled in. */
export type SameTypeTest = (component: Schema, context: TypeContext, hasDefaults: boolean) => boolean

/** Creates the test for the components of a document. */
export function createSameTypeTest(document: TypedDocument): SameTypeTest {
  const contestedSchemas = findContestedSchemas(document)
  const createTest = (direction: Direction, hasDefaults: boolean) => {
    const changesTypes = (schema: Schema) => contestedSchemas.has(schema) || (hasDefaults && 'default' in schema)
    const leadsToChange = createSchemaSearch(document.root, changesTypes)
    return createMemberTest(document, leadsToChange, direction, hasDefaults)
  }
  const tests = { response: createTest('response', false), request: createTest('request', false) }
  const testWithDefaults = createTest('request', true)
  return (component, { direction, numberType, view: viewInContext }, hasDefaults) => {
    const view = document.compile.views.get(component)
    const hasOtherMembers = hasDefaults ? testWithDefaults : tests[direction]
    return !hasOtherNumbers(view, numberType) && !hasOtherMembers(getPair(view, viewInContext))
  }
}

/** The view of a schema by itself, and the view of the same value in a context. */
interface ViewPair {
  readonly view: SchemaView
  readonly viewInContext: SchemaView
}

const getPairs = memoize((view: SchemaView) =>
  memoize((viewInContext: SchemaView): ViewPair => ({ view, viewInContext })),
)

/** Returns the pair of two views: the same object each time, because `createSearch` memoizes results by objects. */
function getPair(view: SchemaView, viewInContext: SchemaView): ViewPair {
  return getPairs(view)(viewInContext)
}

/**
 * Creates the function that returns true if a member at any depth has another type in the context. `leadsToChange` returns true for a
 * schema that changes types, or from which references and subschemas lead to one that does.
 */
function createMemberTest(
  { compile: { views } }: TypedDocument,
  leadsToChange: (schema: Schema) => boolean,
  direction: Direction,
  hasDefaults: boolean,
): (pair: ViewPair) => boolean {
  /** False if nothing is to compare. Most documents have no schemas that change types. */
  function mayDiffer({ view, viewInContext }: ViewPair): boolean {
    return view !== viewInContext && view.schema !== ANY && viewInContext.schemas.some(leadsToChange)
  }

  function listMemberPairs(pair: ViewPair): ViewPair[] {
    if (!mayDiffer(pair)) return []
    const { view, viewInContext } = pair
    return [
      ...Array.from(viewInContext.propertyNames, (name) => getPair(view.property(name), viewInContext.property(name))),
      getPair(view.undeclaredProperty, viewInContext.undeclaredProperty),
      ...viewInContext.items.map((item, index) => getPair(view.item(index), item)),
    ]
  }

  /** True if the component has patterns and the context adds a schema that leads to a change: it may describe any name that matches. */
  function mayChangePatterns({ view, viewInContext }: ViewPair): boolean {
    const addedSchemas = viewInContext.schemas.filter((schema) => !view.schemas.includes(schema))
    return view.hasPatterns && addedSchemas.some(leadsToChange)
  }

  const mayChangeMembers = (pair: ViewPair) =>
    mayDiffer(pair) && (mayChangePatterns(pair) || hidesMember(pair, direction))

  const hasOtherType = createSearch(listMemberPairs, (pair) => {
    const { view, viewInContext } = pair
    const losesDefault =
      hasDefaults && views.getDefault(view) !== undefined && views.getDefault(viewInContext) === undefined
    return losesDefault || hasOtherNumbers(view, viewInContext.numberType) || mayChangeMembers(pair)
  })
  // Skip the component itself: the caller has compared its numbers, and the enclosing object fills in its default.
  return (pair) => mayChangeMembers(pair) || listMemberPairs(pair).some(hasOtherType)
}

/** True if the context hides a member of the component. */
function hidesMember({ view, viewInContext }: ViewPair, direction: Direction): boolean {
  const isHidden = (name: string) =>
    viewInContext.isPropertyHidden(name, direction) && !view.isPropertyHidden(name, direction)
  return view.propertyNames.union(view.requiredNames).values().some(isHidden)
}

/** True if a view may have numbers, and they differ from the number type in whether they are always, sometimes or never bigints. */
function hasOtherNumbers({ mentionedTypes, numberType }: SchemaView, otherNumberType: NumberType): boolean {
  const mayBeNumber = mentionedTypes.includes('number') || mentionedTypes.includes('integer')
  return mayBeNumber && ['int64', 'mixed'].some((type) => (numberType === type) !== (otherNumberType === type))
}
