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
import { getType, isObject } from '../shared/json.ts'
import { isPattern } from '../shared/patterns.ts'
import type { CHECKS } from './checks.ts'
import type { CheckedReference } from './references.ts'

/** The validator of `supported.yaml`. It adds the values that relate to others to the relations. */
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
  // Since 3.2, a response needs no description (OpenAPI 3.2, Response Object).
  const isOptional = ({ params }: ErrorObject) => params.missingProperty === 'description' && hasVersion(root, '3.2')
  const errors = formatErrors((supported.errors ?? []).filter((error) => !isOptional(error)))
  // The problems so far are about references to other files. They remain in the document, where they would be reported again.
  const brokenReferences = new Set(problems.map(({ pointer }) => pointer))
  const allProblems = [...problems, ...errors.filter(({ pointer }) => !brokenReferences.has(pointer))]
  if (allProblems.length === 0) return { ...relations, problems: [] }
  // A reference with a mistake may be no text, so it is not followed.
  const mistakenPointers = new Set(allProblems.map(({ pointer }) => pointer))
  const references = relations.references.filter(({ pointer }) => !mistakenPointers.has(pointer))
  return { ...relations, references, problems: allProblems }
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
    // Skip: the errors of their subschemas are reported.
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

function formatError({ keyword, params, data, schema, instancePath }: ErrorObject, advice?: string): string {
  if (keyword === 'type') {
    const typeAdvice =
      params.type === 'string' && typeof data !== 'object' ? 'put it in quotes' : (advice ?? 'change it')
    return `this must be of type ${params.type}, but is ${formatValue(data)}; ${typeAdvice}`
  }
  // Numbers have no type in supported.yaml, which excludes the other types.
  if (keyword === 'not' && isObject(schema) && 'type' in schema) {
    return `this must be of type number, but is ${formatValue(data)}; ${advice}`
  }
  if (keyword === 'uniqueItems') return `this has the same item twice; ${advice}`
  if (/^min(Items|Properties)$/.test(keyword)) return `this is empty; ${advice}`
  if (keyword === 'not') return `"${parsePointer(instancePath).at(-1)}" is not supported here; ${advice}`
  const values = [params.allowedValues ?? params.allowedValue].flat()
  if (data === null && values.includes('null')) return 'null is not supported here; put it in quotes: "null"'
  const choice = `use ${values.length > 1 ? 'one of: ' : ''}${values.join(', ')}`
  return `${formatValue(data)} is not supported here; ${advice ?? choice}`
}

/** Formats a value of the document as JSON, but an object or array as its type. */
function formatValue(value: unknown): string {
  if (value !== null && typeof value === 'object') return `an ${getType(value)}`
  return JSON.stringify(typeof value === 'bigint' ? Number(value) : value)
}
