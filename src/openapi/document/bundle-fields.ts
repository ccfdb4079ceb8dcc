/** The places in an OpenAPI document at which references may stand: the fields of each kind of object, with their kinds. */
import { METHODS } from './model.ts'
import { toPointer } from './pointers.ts'
import { SUBSCHEMA_KEYWORDS } from './subschemas.ts'
import { toObject, type Values } from './values.ts'

/** The sections of the components, by the kinds of their objects. */
export const SECTIONS = {
  schema: 'schemas',
  response: 'responses',
  parameter: 'parameters',
  example: 'examples',
  requestBody: 'requestBodies',
  header: 'headers',
  securityScheme: 'securitySchemes',
  link: 'links',
  callback: 'callbacks',
  pathItem: 'pathItems',
  mediaType: 'mediaTypes',
} as const

export type ComponentKind = keyof typeof SECTIONS
export type Kind = ComponentKind | 'openapi' | 'components' | 'path' | 'operation' | 'encoding'

export const COMPONENT_KINDS = Object.keys(SECTIONS) as ComponentKind[]

/** The kind of a field's value; in brackets, the value is a list or map, whose members have the kind. */
type FieldKind = Kind | readonly [Kind]

const PATH_ITEM_FIELDS: Readonly<Record<string, FieldKind>> = {
  ...Object.fromEntries(METHODS.map((method) => [method, 'operation'])),
  additionalOperations: ['operation'],
  parameters: ['parameter'],
}

/** The fields that may contain references, at any depth and in any version of OpenAPI, by the kind of their object. */
const FIELDS: Readonly<Record<Kind, Readonly<Record<string, FieldKind>>>> = {
  openapi: { components: 'components', paths: ['path'], webhooks: ['path'] },
  components: Object.fromEntries(COMPONENT_KINDS.map((kind) => [SECTIONS[kind], [kind]])),
  path: PATH_ITEM_FIELDS,
  pathItem: PATH_ITEM_FIELDS,
  operation: {
    parameters: ['parameter'],
    requestBody: 'requestBody',
    responses: ['response'],
    callbacks: ['callback'],
  },
  parameter: { schema: 'schema', content: ['mediaType'], examples: ['example'] },
  header: { schema: 'schema', content: ['mediaType'], examples: ['example'] },
  requestBody: { content: ['mediaType'] },
  response: { content: ['mediaType'], headers: ['header'], links: ['link'] },
  mediaType: {
    schema: 'schema',
    itemSchema: 'schema',
    examples: ['example'],
    encoding: ['encoding'],
    prefixEncoding: ['encoding'],
    itemEncoding: 'encoding',
  },
  encoding: { headers: ['header'], encoding: ['encoding'], prefixEncoding: ['encoding'], itemEncoding: 'encoding' },
  schema: {
    ...Object.fromEntries([...SUBSCHEMA_KEYWORDS.single, 'contentSchema'].map((keyword) => [keyword, 'schema'])),
    ...Object.fromEntries(
      [...SUBSCHEMA_KEYWORDS.list, ...SUBSCHEMA_KEYWORDS.map, '$defs'].map((keyword) => [keyword, ['schema']]),
    ),
  },
  // `getFieldKind` knows the fields, which are path items with any names.
  callback: {},
  example: {},
  link: {},
  securityScheme: {},
}

/** A value within an object that may be a reference, or contain references. */
interface Part {
  readonly value: unknown
  readonly kind: Kind
  /** The pointer from the object to the value: `/responses/200`. */
  readonly pointer: string
}

/** Finds the parts of an object of a kind. */
export function* findParts(kind: Kind, object: Values): Iterable<Part> {
  for (const [field, value] of Object.entries(object)) {
    const fieldKind = getFieldKind(kind, field)
    const pointer = toPointer(field)
    if (typeof fieldKind === 'string') yield { value, kind: fieldKind, pointer }
    if (typeof fieldKind !== 'object') continue
    for (const [name, member] of Object.entries(toObject(value))) {
      if (isExtension(kind, field, name)) continue
      yield { value: member, kind: fieldKind[0], pointer: pointer + toPointer(name) }
    }
  }
}

function getFieldKind(kind: Kind, field: string): FieldKind | undefined {
  if (kind === 'callback') return field.startsWith('x-') ? undefined : 'pathItem'
  return Object.hasOwn(FIELDS[kind], field) ? FIELDS[kind][field] : undefined
}

/** True for members of the Paths and the Responses Object that are extensions. */
function isExtension(kind: Kind, field: string, name: string): boolean {
  return kind !== 'components' && /^(paths|responses)$/.test(field) && name.startsWith('x-')
}
