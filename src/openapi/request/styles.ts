/**
 * How texts become arrays and objects (OpenAPI 3.1, Style Values; RFC 6570): `style` and `explode` of a parameter. Scalars
 * need neither.
 */
import { HttpError } from '../../errors.ts'
import type { OpenApi, Schema, SchemaType } from '../document/model.ts'
import { DEFAULT_MAX_DEPTH, type Parameter } from '../document/operations.ts'
import { getType, parseJson, stringifyExactly } from '../json.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { isBinary } from '../schema/keywords.ts'
import { findInPlace, getItemSchemas, getPropertySchemas, toSchema } from '../schema/parts.ts'
import { parseText, type TextPairs } from './text.ts'

/** Returns the value of a text; `raw` is the same text still percent-encoded, and undefined in headers and forms. */
export type TextReader = (text: string, raw?: string) => unknown

/** Returns the value of all that is sent by one name. What is wrong with that is reported, and with one text thrown as a 400. */
export type FieldReader = (sent: TextPairs, report: (what: string) => void) => unknown

/** The keywords whose schemas say of which type a value is. */
const COMBINATORS = /^(allOf|anyOf|oneOf)$/

/** The types that values of a schema may have, as far as it says so. */
export function findTypes(root: OpenApi, schema: Schema): SchemaType[] {
  const found = findInPlace(root, [schema], COMBINATORS).flatMap((part): SchemaType[] => {
    const { type, enum: values = [], properties, items } = part
    if (type !== undefined) return [type].flat()
    const listed = ('const' in part ? [part.const] : values).map(getType)
    return [...listed, ...(properties ? (['object'] as const) : []), ...(items ? (['array'] as const) : [])]
  })
  return [...new Set(found)]
}

/** True if a value of a schema may be a file of a form, or the bytes of a body. */
export function isFile(root: OpenApi, schema: Schema): boolean {
  return findInPlace(root, [schema], COMBINATORS).some(isBinary)
}

/** True if a value of a schema is one text, not an array or object. */
export function isScalar(root: OpenApi, schema: Schema): boolean {
  return !findTypes(root, schema).some((type) => type === 'array' || type === 'object')
}

/** The schemas of items or members, as one. */
function combine(schemas: readonly (Schema | boolean)[]): Schema {
  return schemas.length === 1 ? toSchema(schemas[0] as Schema) : { allOf: schemas.map(toSchema) }
}

export function getItem(root: OpenApi, schema: Schema): Schema {
  return combine(getItemSchemas(findInPlace(root, [schema], COMBINATORS), Infinity))
}

export function getMember(root: OpenApi, schema: Schema, name: string): Schema {
  return combine(getPropertySchemas(findInPlace(root, [schema], COMBINATORS), name))
}

/** The names of the properties that a schema declares, and whether it says that there may be others. */
export function findMembers(root: OpenApi, schema: Schema) {
  const own = findInPlace(root, [schema], COMBINATORS)
  const hasPatterns = own.some(({ patternProperties }) => patternProperties !== undefined)
  return {
    names: [...new Set(own.flatMap(({ properties = {} }) => Object.keys(properties)))],
    hasPatterns,
    isOpen: hasPatterns || own.some(({ additionalProperties }) => additionalProperties),
  }
}

const SCALARS = ['integer', 'number', 'boolean'] as const

/** Makes the reader of one value. It tries several types in turn, and takes the first with which the text is valid. */
export function createScalarReader(root: OpenApi, schema: Schema, compile: SchemaCompiler): TextReader {
  const types = findTypes(root, schema)
  const others = SCALARS.filter((type) => types.includes(type))
  const [first] = others
  if (first === undefined) return (text) => text
  if (others.length === 1 && !types.includes('string')) return (text) => parseText(text, first)
  const validate = compile(schema, 'request')
  return (text) =>
    others.map((type) => parseText(text, type)).find((value) => value !== text && 'value' in validate(value)) ?? text
}

/** Makes the reader of a value that is written as JSON. It throws a 400. */
export function createJsonReader(maxDepth = DEFAULT_MAX_DEPTH): TextReader {
  return (text) => parseJson(Buffer.from(text), maxDepth)
}

/** Makes the reader of what is sent once. */
export function once(read: TextReader): FieldReader {
  return (sent, report) => {
    const [[, text, raw] = ['', '']] = sent
    if (sent.length > 1) report('is given more than once')
    return read(text, raw)
  }
}

/** Makes the reader of an array, each item of which is sent by the same name. */
export function each(readItem: TextReader): FieldReader {
  return (sent) => sent.map(([, text]) => readItem(text))
}

/** If an array may also be another value, reads that from what is no valid array. */
export function withOther(
  root: OpenApi,
  schema: Schema,
  readArray: FieldReader,
  readOther: TextReader,
  compile: SchemaCompiler,
): FieldReader {
  if (findTypes(root, schema).every((type) => type === 'array' || type === 'null')) return readArray
  const validate = compile(schema, 'request')
  return (sent, report) => {
    if (sent.length > 1) return readArray(sent, report)
    try {
      const array = readArray(sent, report)
      if ('value' in validate(array)) return array
    } catch (error) {
      // Its item cannot be read.
      if (!(error instanceof HttpError)) throw error
    }
    return once(readOther)(sent, report)
  }
}

/** Makes the reader of a parameter. */
export function createParameterReader(root: OpenApi, parameter: Parameter, compile: SchemaCompiler): FieldReader {
  const { schema, style, explode, isJson } = parameter
  if (isJson) return once(createJsonReader())
  const types = findTypes(root, schema)
  const isObject = types.includes('object')
  const readOne = createScalarReader(root, schema, compile)
  if (!isObject && !types.includes('array')) return once(readOne)
  const readItem = createScalarReader(root, getItem(root, schema), compile)
  if (!isObject && style === 'form' && explode) return withOther(root, schema, each(readItem), readOne, compile)
  const createReader = (name: string) => createScalarReader(root, getMember(root, schema, name), compile)
  const readers = new Map(findMembers(root, schema).names.map((name) => [name, createReader(name)]))
  const getReader = (name: string) => readers.get(name) ?? createReader(name)

  /** In the text as it was sent, a separator within a value is encoded; headers have no encoding. */
  function split(text: string, raw: string | undefined): string[] {
    if (style === 'spaceDelimited') return text.split(' ')
    if (style === 'pipeDelimited') return text.split('|')
    if (raw !== undefined) return raw.split(',')
    // Elements of a header that are empty do not count (RFC 9110, section 5.6.1).
    return text
      .split(',')
      .map((piece) => piece.trim())
      .filter((piece) => piece !== '')
  }
  const decode = (piece: string, raw: string | undefined) =>
    raw === undefined || /Delimited$/.test(style) ? piece : decodeURIComponent(piece)

  function readObject(text: string, raw: string | undefined): unknown {
    const pieces = split(text, raw)
    const flat = explode ? pieces.flatMap((piece) => /^(.*?)=(.*)$/s.exec(piece)?.slice(1) ?? [piece]) : pieces
    const texts = flat.map((piece) => decode(piece, raw))
    const names = texts.filter((_text, index) => index % 2 === 0)
    // The validator says that this is no object.
    if (texts.length % 2 !== 0 || new Set(names).size < names.length) return text
    return Object.fromEntries(names.map((name, index) => [name, getReader(name)(String(texts[2 * index + 1]))]))
  }

  if (isObject) return once(readObject)
  const readArray: TextReader = (text, raw) => split(text, raw).map((piece) => readItem(decode(piece, raw)))
  return withOther(root, schema, once(readArray), readOne, compile)
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' }

/** Writes a value of a parameter for a URL, encoded, each time with the name that it is sent by. */
export function writeParameter(
  { name, style, explode, isJson }: Parameter,
  value: unknown,
): [name: string, text: string][] {
  if (value === undefined) return []
  if (isJson) return [[encode(name), encode(stringifyExactly(value))]]
  if (typeof value !== 'object' || value === null) return [[encode(name), encode(value)]]
  const isList = Array.isArray(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (style === 'deepObject' || (style === 'form' && explode)) {
    const toName = (key: string) => (isList ? name : style === 'form' ? key : `${name}[${key}]`)
    return members.flatMap(([key, member]) =>
      [member].flat().map((one): [string, string] => [encode(toName(key)), encode(one)]),
    )
  }
  const texts = members.map(([key, member]) => {
    return isList ? encode(member) : [key, member].map(encode).join(explode ? '=' : (SEPARATORS[style] ?? ','))
  })
  return [[encode(name), texts.join(SEPARATORS[style] ?? ',')]]
}

function encode(value: unknown): string {
  return encodeURIComponent(String(value))
}
