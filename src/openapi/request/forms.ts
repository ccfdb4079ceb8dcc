/** Forms (OpenAPI 3.1, Media Type Object): their fields are the members of an object. */
import type { OpenApi, Schema } from '../document/model.ts'
import { decodeUtf8 } from '../json.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { isBinary } from '../schema/keywords.ts'
import { findInPlace } from '../schema/parts.ts'
import { invalidRequest } from '../schema/violations.ts'
import { createFieldsReader, type Field } from './fields.ts'
import { createScalarReader, findMembers, findTypes, getItem, getMember, isText, readJson } from './styles.ts'
import { parseQuery } from './text.ts'

/** The names and values of a form. */
type Entries = readonly (readonly [name: string, value: string | File])[]

/** Makes the functions that parse a form, and that read its entries as an object. */
export function createFormReader(root: OpenApi, schema: Schema, compile: SchemaCompiler) {
  const fields = new Map(findMembers(root, schema).names.map((name) => [name, createField(name)]))

  function getValueSchema(name: string): Schema {
    const member = getMember(root, schema, name)
    return findTypes(root, member).includes('array') ? getItem(root, member) : member
  }

  function createField(name: string): Field {
    const isRepeated = findTypes(root, getMember(root, schema, name)).includes('array')
    const value = getValueSchema(name)
    const readText = isText(root, value) ? createScalarReader(root, value, compile) : readJson
    const read = findInPlace(root, [value]).some(isBinary) ? readFile : readText
    return { parameter: name, isRepeated, read: (text) => (typeof text === 'string' ? read(text) : text) }
  }

  /** True if a field may be a file: nothing says that it is text. */
  const isFile = (name: string) => {
    const value = getValueSchema(name)
    return findTypes(root, value).length === 0 || findInPlace(root, [value]).some(isBinary)
  }

  /** Throws a 400. */
  async function parseMultipart(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Entries> {
    let form: FormData
    try {
      // The parser belongs to `fetch`, which Node loads at its first use.
      form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
    } catch {
      throw invalidRequest(['body is not multipart/form-data with the boundary of its Content-Type'])
    }
    return Promise.all(
      Array.from(form, async ([name, value]) => {
        const text = typeof value === 'string' || isFile(name) ? value : decodeUtf8(await value.bytes())
        return [name, text] as const
      }),
    )
  }

  function parseUrlEncoded(bytes: Uint8Array): Entries {
    const pairs = parseQuery(decodeUtf8(bytes))
    if (pairs === undefined) throw invalidRequest(['body has a malformed percent-encoding'])
    return pairs as Entries
  }

  return {
    parse: (bytes: Uint8Array<ArrayBuffer>, type: string) =>
      /^multipart/i.test(type) ? parseMultipart(bytes, type) : parseUrlEncoded(bytes),
    read: createFieldsReader(fields, createField, 'body'),
  }
}

function readFile(): never {
  throw invalidRequest(['body must be a file'])
}
