/** Which fields of OpenAPI's objects have other objects, and of which kind, in any version: the walk over all places of references. */
import { isObject } from '../shared/json.ts'
import { METHODS } from './model.ts'
import { toPointer } from './pointers.ts'
import { SUBSCHEMA_KEYWORDS } from './subschemas.ts'
import { getOwn, mapValues, type Values } from './values.ts'

/** The kinds of objects that a reference may stand for, by the names of the sections of the components. */
const COMPONENT_KINDS = [
  'schemas',
  'responses',
  'parameters',
  'examples',
  'requestBodies',
  'headers',
  'securitySchemes',
  'links',
  'callbacks',
  'pathItems',
  'mediaTypes',
] as const
export type ComponentKind = (typeof COMPONENT_KINDS)[number]

/** A kind of value. `plain` is what has no references, such as an extension. */
export type Kind =
  | ComponentKind
  | 'openapi'
  | 'components'
  | 'pathMap'
  | 'operation'
  | 'responseMap'
  | 'encoding'
  | 'discriminator'
  | 'plain'

export function isComponentKind(kind: Kind): kind is ComponentKind {
  return COMPONENT_KINDS.some((componentKind) => componentKind === kind)
}

/** The kind of a field's value; in brackets, the value is a list or map, whose members have the kind. */
type FieldKind = Kind | readonly [Kind]

const PARAMETER_FIELDS = { schema: 'schemas', content: ['mediaTypes'], examples: ['examples'] } as const
const ENCODING_FIELDS = { encoding: ['encoding'], prefixEncoding: ['encoding'], itemEncoding: 'encoding' } as const

/** The kinds of objects that have the fields of the standard, with the kinds of these fields. Other fields are plain. */
const FIELDS: Readonly<Partial<Record<Kind, Readonly<Record<string, FieldKind>>>>> = {
  openapi: { components: 'components', paths: 'pathMap', webhooks: ['pathItems'] },
  components: Object.fromEntries(COMPONENT_KINDS.map((kind) => [kind, [kind]])),
  pathItems: {
    ...Object.fromEntries(METHODS.map((method) => [method, 'operation'])),
    additionalOperations: ['operation'],
    parameters: ['parameters'],
  },
  operation: {
    parameters: ['parameters'],
    requestBody: 'requestBodies',
    responses: 'responseMap',
    callbacks: ['callbacks'],
  },
  parameters: PARAMETER_FIELDS,
  headers: PARAMETER_FIELDS,
  requestBodies: { content: ['mediaTypes'] },
  responses: { content: ['mediaTypes'], headers: ['headers'], links: ['links'] },
  mediaTypes: { schema: 'schemas', itemSchema: 'schemas', examples: ['examples'], ...ENCODING_FIELDS },
  encoding: { headers: ['headers'], ...ENCODING_FIELDS },
  schemas: {
    ...Object.fromEntries([...SUBSCHEMA_KEYWORDS.single, 'contentSchema'].map((keyword) => [keyword, 'schemas'])),
    ...Object.fromEntries(
      [...SUBSCHEMA_KEYWORDS.list, ...SUBSCHEMA_KEYWORDS.map, '$defs'].map((keyword) => [keyword, ['schemas']]),
    ),
    discriminator: 'discriminator',
  },
}

/** The kinds of objects whose fields may have any names, except for extensions, with the kind of the fields. */
const NAMED_FIELDS: Readonly<Partial<Record<Kind, Kind>>> = {
  pathMap: 'pathItems',
  responseMap: 'responses',
  callbacks: 'pathItems',
}

/**
 * Copies an object of a kind, with each part replaced by what `change` returns. `pointer` leads from the object to the part:
 * `/headers/Link` in a response.
 */
export function mapParts(
  kind: Kind,
  object: Values,
  change: (part: unknown, kind: Kind, pointer: string) => unknown,
): unknown {
  return mapMembers(object, (value, field) => {
    const fieldKind = getFieldKind(kind, field)
    if (typeof fieldKind === 'string') return change(value, fieldKind, toPointer(field))
    return mapMembers(value, (member, name) => change(member, fieldKind[0], toPointer(field, name)))
  })
}

/** Calls a function for each part of an object of a kind, as `mapParts` does. */
export function forEachPart(
  kind: Kind,
  object: Values,
  visit: (part: unknown, kind: Kind, pointer: string) => void,
): void {
  mapParts(kind, object, visit)
}

function getFieldKind(kind: Kind, field: string): FieldKind {
  const fields = FIELDS[kind]
  if (fields !== undefined) return getOwn(fields, field) ?? 'plain'
  return field.startsWith('x-') ? 'plain' : (NAMED_FIELDS[kind] ?? 'plain')
}

/** Copies an array or object with each member changed. Returns any other value, which is a mistake, as it is. */
function mapMembers(value: unknown, change: (member: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item, index) => change(item, String(index)))
  return isObject(value) ? mapValues(value, change) : value
}
