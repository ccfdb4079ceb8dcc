/**
 * Tells whether the name of a component's type may stand for the component within other schemas: a value has the same type there as
 * by itself, unless the other schemas make a bigint of a number, hide a member or make a default invalid.
 */
import type { Direction, Schema } from '../document/model.ts'
import { ANY, createSchemaSearch, createSearch } from '../document/subschemas.ts'
import { memoize } from '../document/values.ts'
import type { NumberType } from '../schema/types.ts'
import type { SchemaView } from '../schema/view.ts'
import { findContestedSchemas } from './contested-schemas.ts'
import type { TypeContext } from './type-context.ts'
import type { TypedDocument } from './typed-document.ts'

/** The view of a schema by itself, and that of the same value in a context. */
interface Pair {
  readonly view: SchemaView
  readonly viewInContext: SchemaView
}

type GetPair = (view: SchemaView, viewInContext: SchemaView) => Pair

/** True if a component has the same type in a context as by itself. `hasDefaults` says that missing members have their defaults. */
export type SameTypeTest = (component: Schema, context: TypeContext, hasDefaults: boolean) => boolean

/** Creates the test for the components of a document. Each pair of views is compared once, however many schemas lead to it. */
export function createSameTypeTest(document: TypedDocument): SameTypeTest {
  const { views } = document.compile
  // The same pair is the same object each time, by which searches know it.
  const getPairs = memoize((view: SchemaView) =>
    memoize((viewInContext: SchemaView): Pair => ({ view, viewInContext })),
  )
  const getPair: GetPair = (view, viewInContext) => getPairs(view)(viewInContext)
  const memberTests = {
    response: createMemberTest(document, getPair, 'response', false),
    request: createMemberTest(document, getPair, 'request', false),
    requestWithDefaults: createMemberTest(document, getPair, 'request', true),
  }
  return (component, context, hasDefaults) => {
    const view = views.get(component)
    const haveOtherMembers = memberTests[hasDefaults ? 'requestWithDefaults' : context.direction]
    return hasSameNumbers(view, context.numberType) && !haveOtherMembers(getPair(view, context.view))
  }
}

/** Creates the function that returns true if members of a pair, or members of these, have other types in the context. */
function createMemberTest(
  document: TypedDocument,
  getPair: GetPair,
  direction: Direction,
  hasDefaults: boolean,
): (pair: Pair) => boolean {
  // Without these schemas, a context changes no type. Most documents need no comparison.
  const contestedSchemas = findContestedSchemas(document)
  const hasEffect = createSchemaSearch(
    document.root,
    (schema) => contestedSchemas.has(schema) || (hasDefaults && 'default' in schema),
  )

  function isSame({ view, viewInContext }: Pair): boolean {
    return view === viewInContext || view.schema === ANY || !viewInContext.schemas.some(hasEffect)
  }

  function listMemberPairs(pair: Pair): Pair[] {
    if (isSame(pair)) return []
    const { view, viewInContext } = pair
    return [
      ...Array.from(viewInContext.propertyNames, (name) => getPair(view.property(name), viewInContext.property(name))),
      getPair(view.undeclaredProperty, viewInContext.undeclaredProperty),
      ...viewInContext.items.map((item, index) => getPair(view.item(index), item)),
    ]
  }

  /** True if the context hides a member. With patterns, its schemas may change any member: a name may match several. */
  function changesMembers(pair: Pair): boolean {
    const { view, viewInContext } = pair
    if (isSame(pair)) return false
    const isHidden = (name: string) =>
      viewInContext.isPropertyHidden(name, direction) && !view.isPropertyHidden(name, direction)
    const addedSchemas = viewInContext.schemas.filter((schema) => !view.schemas.includes(schema))
    const hasOtherPatterns = view.hasPatterns && addedSchemas.some(hasEffect)
    return hasOtherPatterns || view.propertyNames.union(view.requiredNames).values().some(isHidden)
  }

  const { getDefault } = document.compile.views
  const haveOtherTypes = createSearch(listMemberPairs, (pair) => {
    const { view, viewInContext } = pair
    const losesDefault = hasDefaults && getDefault(view) !== undefined && getDefault(viewInContext) === undefined
    return losesDefault || !hasSameNumbers(view, viewInContext.numberType) || changesMembers(pair)
  })
  return (pair) => changesMembers(pair) || listMemberPairs(pair).some(haveOtherTypes)
}

/** True if the schemas of a view mention numbers. */
function mayBeNumber({ mentionedTypes }: SchemaView): boolean {
  return mentionedTypes.some((type) => type === 'number' || type === 'integer')
}

/** True if numbers of a view become the same as those of the number type. */
function hasSameNumbers(view: SchemaView, otherNumberType: NumberType): boolean {
  if (!mayBeNumber(view)) return true
  return ['int64', 'mixed'].every((type) => (view.numberType === type) === (otherNumberType === type))
}
