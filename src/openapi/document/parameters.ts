/** The parameters of operations (OpenAPI 3.1, Parameter Object). */
import type * as model from './model.ts'
import type { OpenApi } from './model.ts'
import { getReferences } from './references.ts'
import { toSchema } from './subschemas.ts'

/** A parameter with its style. */
export interface Parameter extends Omit<model.ParameterObject, 'content'> {
  readonly style: string
  readonly explode: boolean
  /** The schema of the value; with `content`, the schema of its media type. */
  readonly schema: model.Schema
  /** True with `content`: the value is JSON. */
  readonly isJson: boolean
}

/** The header parameters that OpenAPI ignores. */
const IGNORED_PARAMETERS = /^(accept|content-type|authorization)$/i

/**
 * Reads the parameters of a path and of its operation, in this order. A parameter of the operation replaces the path's parameter
 * with the same name and location.
 */
export function readParameters(root: OpenApi, list: readonly (model.ParameterObject | model.Reference)[]): Parameter[] {
  const parameters = list
    .map((reference) => readParameter(root, getReferences(root).resolve<model.ParameterObject>(reference)))
    .filter((parameter) => parameter.in !== 'header' || !IGNORED_PARAMETERS.test(parameter.name))
  return [...new Map(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter])).values()]
}

/** Reads a parameter, with the defaults of `style` and `explode`. */
export function readParameter(root: OpenApi, { content, schema, ...parameter }: model.ParameterObject): Parameter {
  const [jsonContent] = Object.values(content ?? {}).map((media) =>
    getReferences(root).resolve<model.MediaTypeObject>(media),
  )
  const style = parameter.style ?? (/^(query|cookie)$/.test(parameter.in) ? 'form' : 'simple')
  const explode = parameter.explode ?? style === 'form'
  return {
    ...parameter,
    style,
    explode,
    schema: toSchema(schema ?? jsonContent?.schema ?? {}),
    isJson: jsonContent !== undefined,
  }
}
