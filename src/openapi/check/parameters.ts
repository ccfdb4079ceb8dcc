/** Checks parameters by themselves (OpenAPI 3.1, Parameter Object). */
import type { ParameterObject } from '../document/model.ts'
import { readParameter } from '../document/parameters.ts'
import type { Problem } from '../document/problems.ts'
import { isExplodedObject } from '../request/styles.ts'
import { getFieldViews } from '../request/text-values.ts'
import type { Context } from './context.ts'
import { AMBIGUOUS_TYPES, isAmbiguous } from './text-types.ts'

/**
 * Reports values that the style of a parameter cannot write. The styles write scalars, arrays and objects of scalars, and in the
 * query also arrays within an exploded object.
 */
export function* checkParameter(
  parameterObject: ParameterObject,
  pointer: string,
  { compile, root }: Context,
): Iterable<Problem> {
  const parameter = readParameter(root, parameterObject)
  const { in: location, schema, style, explode, isJson } = parameter
  if (isJson) return
  const view = compile.views.get(schema)
  const [hasArray, hasObject] = [view.mentionedTypes.includes('array'), view.mentionedTypes.includes('object')]
  const toProblem = (message: string) => ({ pointer: `${pointer}/schema`, message })
  // Only the first of these mistakes is reported, because the others may follow from it.
  if (hasArray && hasObject) {
    yield toProblem('a parameter cannot be an array as well as an object; remove one of the types')
  } else if (style === 'deepObject' && !hasObject) {
    yield toProblem('the style "deepObject" is for objects; remove it')
  } else if (location === 'cookie' && explode && (hasArray || hasObject)) {
    yield toProblem('a cookie has one value; add "explode: false" to the parameter')
  }
  const members = hasObject ? view.memberViews : []
  const innerViews = [
    ...(hasArray ? view.items : []),
    ...members.flatMap((member) => (isExplodedObject(parameter, view) ? getFieldViews(member) : member)),
  ]
  if (innerViews.some(({ isScalar }) => !isScalar)) {
    const what = 'no style writes what is within arrays and objects'
    yield toProblem(`${what}; use scalars, or content with "application/json"`)
  } else if (isAmbiguous(view)) yield toProblem(AMBIGUOUS_TYPES)
}
