/**
 * How texts become values by their schemas: those of parameters, by `style` and `explode` (OpenAPI 3.1, Style Values;
 * RFC 6570), and those of forms.
 */
import { HttpError } from '../../errors.ts'
import type { OpenApi, Schema, SchemaType } from '../document/model.ts'
import { DEFAULT_MAX_DEPTH, type Parameter } from '../document/operations.ts'
import { getType, parseJson, stringifyExactly } from '../json.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { isBinary } from '../schema/keywords.ts'
import {
  ANY,
  createItems,
  createKeys,
  findInPlace,
  getItemSchemas,
  getPropertySchemas,
  IN_PLACE,
  toSchema,
} from '../schema/parts.ts'
import { decode, parseText, type TextPairs } from './text.ts'

/** Returns the value of one text. Throws a 400 if it cannot be read. */
export type TextReader = (text: string) => unknown

/** Reads all that is sent by one name. */
export interface Reader {
  /** True if the name may be sent more than once. */
  readonly isRepeatable: boolean
  /** Throws a 400 if a text cannot be read. */
  readonly read: (sent: TextPairs) => unknown
}

function findOwn(root: OpenApi, schema: Schema): Schema[] {
  return findInPlace(root, [schema], IN_PLACE)
}

/** The types that values of a schema may have, as far as it says so. */
export function findTypes(root: OpenApi, schema: Schema): SchemaType[] {
  const found = findOwn(root, schema).flatMap((part): SchemaType[] => {
    const { type, enum: values = [], properties, items } = part
    if (type !== undefined) return [type].flat()
    const listed = ('const' in part ? [part.const] : values).map(getType)
    return [...listed, ...(properties ? (['object'] as const) : []), ...(items ? (['array'] as const) : [])]
  })
  return [...new Set(found)]
}

/** True if a value of a schema may be a file of a form, or the bytes of a body. */
export function isFile(root: OpenApi, schema: Schema): boolean {
  return findOwn(root, schema).some(isBinary)
}

/** True if a field of a form may have files: nothing says that it has texts. */
export function mayBeFile(root: OpenApi, schema: Schema): boolean {
  return getItems(root, schema).some((item) => isFile(root, item) || findTypes(root, item).length === 0)
}

/** True if a value of a schema is one text, not an array or object. */
export function isScalar(root: OpenApi, schema: Schema): boolean {
  return !findTypes(root, schema).some((type) => type === 'array' || type === 'object')
}

/** True if each member of an object in a query is sent by a name of its own. */
export function isSpread(root: OpenApi, { in: location, schema, style, explode, isJson }: Parameter): boolean {
  const hasNames = style === 'deepObject' || (style === 'form' && explode)
  return location === 'query' && hasNames && !isJson && findTypes(root, schema).includes('object')
}

/** Returns the schemas of the items if a value may be an array, and otherwise the schema itself. */
export function getItems(root: OpenApi, schema: Schema): Schema[] {
  if (!findTypes(root, schema).includes('array')) return [schema]
  const own = findOwn(root, schema)
  const first = own.flatMap(({ prefixItems = [] }) => prefixItems.map((_each, index) => index))
  return [...first, Infinity].map((index) => combine(getItemSchemas(own, index)))
}

/** True if alternatives give a member or an item different types: its text is read before it is known which of them apply. */
export function isAmbiguous(root: OpenApi, schema: Schema): boolean {
  const [always, own] = [findInPlace(root, [schema]), findOwn(root, schema)]
  // The text of a number is read in one way, whether it must be an integer or not.
  const describe = (part: Schema) =>
    findTypes(root, part).flatMap((type) => (type === 'null' ? [] : type === 'integer' ? 'number' : type))
  const areMixed = (lists: string[][]) =>
    new Set(lists.map((types) => [...new Set(types)].sort().join()).filter((text) => text !== '')).size > 1
  const differ = (get: (schemas: readonly Schema[]) => readonly (Schema | boolean)[]) => {
    const parts = get(own).map(toSchema)
    if (parts.length === get(always).length) return false
    return areMixed(parts.map(describe)) || areMixed(parts.map((part) => getItems(root, part).flatMap(describe)))
  }
  const names = own.flatMap(({ properties = {} }) => Object.keys(properties))
  const hasMember = [...names, ''].some((name) => differ((schemas) => getPropertySchemas(schemas, name)))
  return hasMember || differ((schemas) => getItemSchemas(schemas, Infinity))
}

/** Makes the members of an object: the declared names, and what `create` makes of the schema of each member. */
export function createMembers<Member extends object>(
  root: OpenApi,
  schema: Schema,
  create: (member: Schema) => Member,
) {
  const own = findOwn(root, schema)
  // Members that are not declared have the same schemas, and there may be many of them.
  const toKey = createKeys()
  const known = new Map<string, Member>()
  return {
    names: [...new Set(own.flatMap(({ properties = {} }) => Object.keys(properties)))],
    /** True if the schema says that there may be such a member. */
    has: (name: string) => getPropertySchemas(own, name).some((member) => member !== false),
    find(name: string): Member {
      const schemas = getPropertySchemas(own, name)
      const key = toKey(schemas)
      const found = known.get(key) ?? create(combine(schemas))
      known.set(key, found)
      return found
    },
  }
}

function combine(schemas: readonly (Schema | boolean)[]): Schema {
  const [first = ANY, ...others] = schemas
  return others.length === 0 ? toSchema(first) : { allOf: schemas.map(toSchema) }
}

const SCALARS = ['integer', 'number', 'boolean'] as const

/** Makes the reader of one value. It tries several types in turn, and takes the first with which the text is valid. */
export function createScalarReader(root: OpenApi, schema: Schema, compile: SchemaCompiler): TextReader {
  const types = findTypes(root, schema)
  const others = SCALARS.filter((type) => types.includes(type) && !(type === 'integer' && types.includes('number')))
  const [first] = others
  if (first === undefined) return (text) => text
  if (others.length === 1 && !types.includes('string')) return (text) => parseText(text, first)
  const validate = compile(schema, 'request')
  return (text) =>
    others.map((type) => parseText(text, type)).find((value) => value !== text && 'value' in validate(value)) ?? text
}

/**
 * Makes the reader of a value that is sent once, or of an array whose items are sent by the same name. `createOne` makes the
 * reader of a text. If an array may be another value, too, one text without separators is that where it is valid.
 */
export function createReader(
  root: OpenApi,
  schema: Schema,
  compile: SchemaCompiler,
  createOne: (schema: Schema, isItem: boolean) => TextReader,
  split = (text: string) => [text],
): Reader {
  const types = findTypes(root, schema)
  const readText = createOne(schema, false)
  const readOne = ([[, text] = ['', '']]: TextPairs) => readText(text)
  if (!types.includes('array')) return { isRepeatable: false, read: readOne }
  const own = findOwn(root, schema)
  const getReader = createItems(own, (index) => createOne(combine(getItemSchemas(own, index)), true))
  const readList = (sent: TextPairs) =>
    sent.flatMap(([, text]) => split(text)).map((text, index) => getReader(index)(text))
  if (types.every((type) => type === 'array' || type === 'null')) return { isRepeatable: true, read: readList }
  const validate = compile(schema, 'request')
  const read = (sent: TextPairs) => {
    if (sent.length > 1) return readList(sent)
    const hasSeparators = split(sent[0]?.[1] ?? '').length > 1
    const [readFirst, readSecond] = hasSeparators ? [readList, readOne] : [readOne, readList]
    try {
      const value = readFirst(sent)
      if ('value' in validate(value)) return value
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
    }
    return readSecond(sent)
  }
  return { isRepeatable: true, read }
}

/** Makes the reader of a parameter. An object whose members are sent by names of their own has none. */
export function createParameterReader(root: OpenApi, parameter: Parameter, compile: SchemaCompiler): Reader {
  const { name, in: location, schema, style, explode, isJson } = parameter
  const isHeader = location === 'header'
  // Headers have no encoding, and the router has decoded what is one text of a path.
  const isDecoded = isHeader || (location === 'path' && isScalar(root, schema))
  const decodeText: (text: string) => string = isDecoded ? (text) => text : decode
  const createOne = (one: Schema): TextReader => {
    const read = isJson
      ? (text: string) => parseJson(Buffer.from(text), DEFAULT_MAX_DEPTH)
      : createScalarReader(root, one, compile)
    return (text) => read(decodeText(text))
  }
  if (isJson || (style === 'form' && explode)) return createReader(root, isJson ? ANY : schema, compile, createOne)

  /** Splits a text as it was sent: a separator within a value is encoded. */
  function split(text: string): string[] {
    const pieces = text.split(style === 'pipeDelimited' ? /%7C|\|/i : (SEPARATORS[style] ?? ','))
    // Empty elements of a header do not count (RFC 9110, section 5.6.1).
    return isHeader ? pieces.map((piece) => piece.trim()).filter((piece) => piece !== '') : pieces
  }

  const members = createMembers(root, schema, createOne)

  function readObject(text: string): unknown {
    const texts = split(text).flatMap((piece) => (explode ? (/^(.*?)=(.*)$/s.exec(piece)?.slice(1) ?? piece) : piece))
    const names = texts.filter((_text, index) => index % 2 === 0).map(decodeText)
    // The validator says that this is no object.
    if (texts.length % 2 !== 0 || new Set(names).size < names.length) return text
    return Object.fromEntries(names.map((name, index) => [name, members.find(name)(String(texts[2 * index + 1]))]))
  }

  const isObject = findTypes(root, schema).includes('object')
  const reader = createReader(root, schema, compile, isObject ? () => readObject : createOne, split)
  if (!isHeader || isScalar(root, schema)) return { ...reader, isRepeatable: false }
  // The lines of a header are one list (RFC 9110, section 5.3).
  return { isRepeatable: true, read: (sent) => reader.read([[name, sent.map(([, text]) => text).join()]]) }
}

/** What stands between values in a URL, for other styles than those with commas. */
const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' }

/** Writes a value of a parameter for a URL, encoded, each time with the name that it is sent by. */
export function writeParameter(
  { name, style, explode, isJson }: Parameter,
  value: unknown,
): [name: string, text: string][] {
  if (value === undefined) return []
  if (isJson || typeof value !== 'object' || value === null) {
    return [[encode(name), encode(isJson ? stringifyExactly(value) : value)]]
  }
  const isList = Array.isArray(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (style === 'deepObject' || (style === 'form' && explode)) {
    return members.flatMap(([key, member]) => {
      const own = isList ? name : style === 'form' ? key : `${name}[${key}]`
      return [member].flat().map((one): [string, string] => [encode(own), encode(one)])
    })
  }
  const separator = SEPARATORS[style] ?? ','
  const between = explode ? '=' : separator
  const texts = members.map(([key, member]) => (isList ? '' : encode(key) + between) + encode(member))
  return [[encode(name), texts.join(separator)]]
}

function encode(value: unknown): string {
  return encodeURIComponent(String(value))
}
