/** Writes the values of mocks in media types that are not JSON. */
import { getEssence, getKind } from '../document/operations.ts'
import { toObject } from '../document/values.ts'
import type { SchemaView } from '../schema/view.ts'
import { stringifyExactly } from '../shared/json.ts'

/** Images of one pixel, by media type; those that are not a text in base64. */
const IMAGES: Readonly<Record<string, Buffer>> = {
  'image/gif': Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'),
  'image/jpeg': Buffer.from(
    '/9j/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=',
    'base64',
  ),
  'image/png': Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  'image/svg+xml': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
  'image/webp': Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64'),
}

/** Returns the image of a media type; undefined for others. */
export function findImage(type: string): Buffer | undefined {
  return IMAGES[getEssence(type)]
}

/** Chooses a media type of a range, which is JSON unless the range or the schema says otherwise. */
export function chooseType(range: string, { mayBeBytes }: SchemaView): string {
  const [type = '', subtype = ''] = getEssence(range).split('/')
  const typesOfRanges: Readonly<Record<string, string>> = { image: 'png', text: 'plain', audio: 'mpeg', video: 'mp4' }
  if (subtype.startsWith('*+')) return `${type}/example${subtype.slice(1)}`
  if (subtype !== '*') return range
  if (type in typesOfRanges) return `${type}/${typesOfRanges[type]}`
  return mayBeBytes ? 'application/octet-stream' : 'application/json'
}

/** Writes a value as the body of a media type. A text is the body itself, whatever the type is; JSON is for the serializer. */
export function formatBody(type: string, value: unknown, view: SchemaView): unknown {
  if (getKind(type) === 'json' || typeof value === 'string') return value
  if (/[/+]xml$/.test(getEssence(type))) return formatXml(value, view, view.componentName ?? 'root')
  return stringifyExactly(value)
}

/** The fields of an XML Object (OpenAPI 3.1) that are followed; prefixes and namespaces are not. */
interface Xml {
  readonly name?: string
  readonly attribute?: boolean
  readonly wrapped?: boolean
}

/** Formats a value as XML. The name is that of its element, unless its XML Object has another one. */
function formatXml(value: unknown, view: SchemaView, givenName: string, isItem = false): string {
  const { name = givenName, wrapped } = getXml(view)
  if (Array.isArray(value)) {
    const isWrapped = wrapped || !isItem
    const items = value.map((item, index) => formatXml(item, view.item(index), name, true)).join('')
    return isWrapped ? `<${name}>${items}</${name}>` : items
  }
  if (typeof value !== 'object' || value === null) return `<${name}>${escapeXml(value ?? '')}</${name}>`
  const members = Object.entries(value).map(([key, member]) => ({ key, member, view: view.property(key) }))
  const isAttribute = (member: (typeof members)[number]) => getXml(member.view).attribute === true
  const { true: attributes = [], false: elements = [] } = Object.groupBy(members, (member) => `${isAttribute(member)}`)
  const attributeTexts = attributes.map(
    ({ key, member, view }) => ` ${getXml(view).name ?? key}="${escapeXml(member)}"`,
  )
  const content = elements.map(({ key, member, view }) => formatXml(member, view, key, true)).join('')
  return `<${name}${attributeTexts.join('')}>${content}</${name}>`
}

function getXml({ schemas }: SchemaView): Xml {
  return Object.assign({}, ...schemas.map((schema) => toObject(toObject(schema).xml)))
}

function escapeXml(value: unknown): string {
  return String(value).replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
