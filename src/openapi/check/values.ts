/** Checks each value of a document by itself, by the schema of supported documents. */
import { createRequire } from 'node:module'
import type { ErrorObject } from 'ajv'
import type { OpenApi } from '../document/model.ts'
import type { ParsedDocument } from '../document/parse.ts'
import { parsePointer, toPointer } from '../document/pointers.ts'
import type { Problem } from '../document/problems.ts'
import { hasVersion } from '../document/version.ts'
import { TEXT_FORMATS } from '../schema/formats.ts'
import { didYouMean } from '../schema/messages.ts'
import { getType, isObject, stringifyExactly } from '../shared/json.ts'
import { isPattern } from '../shared/patterns.ts'
import type { CHECKS } from './checks.ts'
import type { CheckedReference } from './references.ts'

/** The validator of `supported.yaml`, which `scripts/supported.ts` compiles: it adds to `this` the values that relate to others. */
interface Supported {
  (this: Relations & { readonly formats: typeof TEXT_FORMATS }, root: OpenApi): boolean
  readonly errors?: readonly ErrorObject[] | null
}

/** What supported.yaml says of values that relate to others. */
export interface Relations {
  /** The values that a function in CHECKS compares with others. They have the type that the function takes: the validator has seen them. */
  readonly checkedValues: { readonly check: keyof typeof CHECKS; readonly value: never; readonly pointer: string }[]
  /** The kinds of objects by their pointers: `parameters` for `kind: parameters`. */
  readonly kinds: Map<string, string>
  readonly references: CheckedReference[]
}

/** Checks each value by itself. Returns the problems, and the values whose relations to other values are checked next. */
export function checkValues({ root, problems }: ParsedDocument): Relations & { readonly problems: Problem[] } {
  // Loaded on demand, because `npm run generate` writes the file by other functions of this package. In the package, the folders
  // have the same places (scripts/pack.ts).
  const supported: Supported = createRequire(import.meta.url)('../../../generated/supported.js').default
  const relations: Relations = { checkedValues: [], kinds: new Map(), references: [] }
  supported.call({ ...relations, formats: new Map([...TEXT_FORMATS, ['regex', isPattern]]) }, root)
  const errors = (supported.errors ?? []).filter((error) => !isOptionalDescription(error, root))
  const allProblems = [...problems, ...formatErrors(errors)]
  if (allProblems.length === 0) return { ...relations, problems: [] }
  // A reference with a mistake may be no text, or lead to no file, so it is not followed.
  const mistakenPointers = new Set(allProblems.map(({ pointer }) => pointer))
  const references = relations.references.filter(({ pointer }) => !mistakenPointers.has(pointer))
  return { ...relations, references, problems: allProblems }
}

/** True for the description that a response lacks, which it need not have since 3.2 (OpenAPI 3.2, Response Object). */
function isOptionalDescription({ params }: ErrorObject, root: OpenApi): boolean {
  return params.missingProperty === 'description' && hasVersion(root, '3.2')
}

/**
 * The extensions of this layer. In an object where supported.yaml does not have them, they are errors; `x-stability-level` is not
 * among them, because it has no effect on the server.
 */
const OWN_EXTENSIONS = /^x-(deprecated-since|extensible-enum|max-bytes|max-depth|replaced-by|stream|sunset)$/

/** The keywords of supported.yaml that are for messages. */
interface MessageKeywords {
  readonly title?: string
  readonly advice?: string
  readonly ignored?: string
  readonly properties?: object
}

/** Converts the errors of the validator to problems, with messages `what is wrong; what to do`. */
function formatErrors(errors: readonly ErrorObject[]): Problem[] {
  return errors.flatMap((error): Problem[] => {
    const { keyword, instancePath: pointer, params, propertyName } = error
    const { title, advice, ignored, properties } = error.parentSchema ?? {}
    // The errors within `then` and within `propertyNames` are reported.
    if (keyword === 'if' || keyword === 'propertyNames') return []
    if (keyword === 'required') return [{ pointer, message: `${title} needs "${params.missingProperty}"; add it` }]
    if (keyword === 'additionalProperties')
      return formatUnknownField(pointer, params.additionalProperty, { title, advice, ignored, properties })
    if (propertyName === undefined) return [{ pointer, message: formatError(error, advice) }]
    const message = `the name "${propertyName}" is not supported here; ${advice}`
    return [{ pointer: pointer + toPointer(propertyName), message }]
  })
}

/** Reports a field that an object does not have. Other tools may have extensions (OpenAPI 3.1, Specification Extensions). */
function formatUnknownField(
  objectPointer: string,
  name: string,
  { title, advice = 'remove or correct it', ignored, properties = {} }: MessageKeywords,
): Problem[] {
  const pointer = objectPointer + toPointer(name)
  const isExtension = name.startsWith('x-')
  const similarNames = Object.keys(properties).filter((field) => field.startsWith('x-') === isExtension)
  const hint = didYouMean(name, similarNames)
  if (isExtension && hint === '' && !OWN_EXTENSIONS.test(name)) return []
  if (ignored !== undefined && hint === '') {
    return [{ pointer, message: `"${name}" ${ignored}; remove it`, isWarning: true }]
  }
  return [{ pointer, message: `"${name}" is not supported in ${title}${hint}; ${advice}` }]
}

/** Describes a value that its schema does not allow; `advice` is the schema's own. */
function formatError({ keyword, params, data, schema, instancePath }: ErrorObject, advice?: string): string {
  switch (keyword) {
    case 'type':
      return formatTypeError(params.type, data, advice)
    case 'not':
      // A number of YAML may be a bigint, which Ajv gives no type, so supported.yaml excludes the other types.
      if (isObject(schema) && 'type' in schema) return formatTypeError('number', data, advice)
      return `"${parsePointer(instancePath).at(-1)}" is not supported here; ${advice}`
    case 'uniqueItems':
      return `this has the same item twice; ${advice}`
    case 'minItems':
    case 'minProperties':
      return `this is empty; ${advice}`
    default:
      return formatValueError(data, [params.allowedValues ?? params.allowedValue].flat(), advice)
  }
}

function formatTypeError(type: string, data: unknown, advice = 'change it'): string {
  const typeAdvice = type === 'string' && typeof data !== 'object' ? 'put it in quotes' : advice
  return `this must be of type ${type}, but is ${formatValue(data)}; ${typeAdvice}`
}

/** Describes a value that is not allowed. If a pattern or a limit excludes it, no values are listed, and supported.yaml has the advice. */
function formatValueError(data: unknown, allowedValues: readonly unknown[], advice?: string): string {
  if (data === null && allowedValues.includes('null')) return 'null is not supported here; put it in quotes: "null"'
  const choice = `use ${allowedValues.length > 1 ? 'one of: ' : ''}${allowedValues.join(', ')}`
  return `${formatValue(data)} is not supported here; ${advice ?? choice}`
}

/** Formats a value of the document as JSON, but an object or array as its type. */
function formatValue(value: unknown): string {
  if (value !== null && typeof value === 'object') return `an ${getType(value)}`
  return stringifyExactly(value)
}
