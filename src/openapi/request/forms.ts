/** Forms (OpenAPI 3.1, Media Type Object): their fields are the members of an object. */
import type { OpenApi, Schema } from '../document/model.ts'
import { type Content, toPattern } from '../document/operations.ts'
import { decodeUtf8 } from '../json.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { invalidRequest } from '../schema/violations.ts'
import { createFieldsReader, type Field } from './fields.ts'
import {
  createJsonReader,
  createScalarReader,
  each,
  findMembers,
  findTypes,
  getItem,
  getMember,
  isFile,
  isScalar,
  once,
  type TextReader,
  withOther,
} from './styles.ts'
import { parseQuery } from './text.ts'

/** The names and values of a form. */
type Entries = readonly (readonly [name: string, value: string | File])[]

/** Makes the functions that parse a form, and that read its entries as an object. */
export function createFormReader(
  root: OpenApi,
  { schema, encoding = {} }: Content,
  maxDepth: number,
  compile: SchemaCompiler,
) {
  const { names, hasPatterns } = findMembers(root, schema)
  const fields = new Map([...names, ...Object.keys(encoding)].map((name) => [name, createField(name)]))
  let undeclared: Field | undefined

  function isList(member: Schema): boolean {
    return findTypes(root, member).includes('array')
  }

  function createField(name: string): Field {
    const member = getMember(root, schema, name)
    const createReader = (value: Schema, isJson: boolean): TextReader => {
      const readText = isJson ? createJsonReader(maxDepth) : createScalarReader(root, value, compile)
      const read = isFile(root, value) ? readFile : readText
      return (text: string | File) => (typeof text === 'string' ? read(text) : checkFile(text))
    }
    const types = encoding[name]?.contentType?.split(',').map((type) => type.trim()) ?? []
    const checkFile = (file: File) => {
      const isAllowed = types.length === 0 || types.some((type) => toPattern(type).test(file.type))
      return isAllowed ? file : fail(`must be a file of the type ${types.join(' or ')}`)
    }
    const readOne = createReader(member, findTypes(root, member).includes('object'))
    if (!isList(member)) return { parameter: name, read: once(readOne) }
    const item = getItem(root, member)
    const readItems = each(createReader(item, !isScalar(root, item)))
    return { parameter: name, read: withOther(root, member, readItems, readOne, compile) }
  }

  /** Without patterns, all names that are not declared have the same schema. */
  function findField(name: string): Field {
    if (hasPatterns) return createField(name)
    undeclared ??= createField(name)
    return { ...undeclared, parameter: name }
  }

  /** True if a field may be a file: nothing says that it is text. */
  const mayBeFile = (name: string) => {
    const member = getMember(root, schema, name)
    const value = isList(member) ? getItem(root, member) : member
    return findTypes(root, value).length === 0 || isFile(root, value)
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
    const texts = [...form].flat().filter((value) => typeof value === 'string')
    // The parser has decoded them, and has put U+FFFD in the place of what is not UTF-8.
    const replaced = countReplaced(texts.join(''))
    const files = [...form.values()].filter((value) => typeof value !== 'string')
    if (replaced > 0 && replaced > countReplaced(bytes) - countReplaced(await new Blob(files).bytes())) {
      throw invalidRequest(['body has a text that is not UTF-8'])
    }
    return Promise.all(
      Array.from(form, async ([name, value]) => {
        const text = typeof value === 'string' || mayBeFile(name) ? value : decodeUtf8(await value.bytes())
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
    read: createFieldsReader(fields, findField, 'body'),
  }
}

/** The number of U+FFFD in a text, or in its bytes. */
function countReplaced(text: string | Uint8Array): number {
  return (
    Buffer.from(text as string)
      .toString('latin1')
      .split('\xef\xbf\xbd').length - 1
  )
}

function readFile(): never {
  return fail('must be a file')
}

/** Throws a 400 that says what is wrong with a field. */
function fail(what: string): never {
  throw invalidRequest([`body ${what}`])
}
