/** Forms (OpenAPI 3.1, Media Type Object): their fields are the members of an object. */
import { MIMEType } from 'node:util'
import { type Content, toPattern } from '../document/operations.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'
import { memoizeByView, type SchemaView } from '../schema/view.ts'
import { formatMember, invalidRequest } from '../schema/violations.ts'
import { decodeUtf8, parseJson } from '../shared/json.ts'
import { createFieldsReader } from './fields.ts'
import { createFieldReader, createScalarReader, mayBeFile } from './styles.ts'
import { decode, parseQuery, type TextPairs } from './text.ts'

/** The names of a form with what is sent by them. */
type Entries = readonly (readonly [name: string, sent: string | File])[]

/** The most characters of a boundary (RFC 2046, section 5.1.1): the time of the parser grows with its square. */
const MAX_BOUNDARY = 70

/** Makes the functions that parse a form, and that read its entries as an object. */
export function createFormReader({ schema, encoding = {} }: Content, maxDepth: number, compile: SchemaCompiler) {
  const view = compile.views.get(schema)
  const getField = memoizeByView((member) => ({
    ...createFieldReader(member, compile, createEntryReader),
    mayBeFile: mayBeFile(member),
  }))
  const find = (name: string) => getField(view.property(name))
  const readFields = createFieldsReader('body', { names: [...view.propertyNames], find })

  function createEntryReader(value: SchemaView, isItem: boolean): (sent: string | File) => unknown {
    const isJson = isItem ? !value.isScalar : value.mentionedTypes.includes('object')
    const readText = createScalarReader(value, compile)
    return (sent) => {
      if (typeof sent !== 'string') return sent
      if (value.mayBeBytes) throw invalidRequest(['body must be a file'])
      return isJson ? parseJson(Buffer.from(sent), maxDepth) : readText(sent)
    }
  }

  /** Throws a 400. */
  async function parseMultipart(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<Entries> {
    const boundary = new MIMEType(type).params.get('boundary') ?? ''
    if (boundary.length > MAX_BOUNDARY) {
      throw invalidRequest([`body must have a boundary of at most ${MAX_BOUNDARY} characters`])
    }
    let form: FormData
    try {
      // The parser belongs to `fetch`, which Node loads at its first use.
      form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
    } catch {
      throw invalidRequest(['body is not multipart/form-data with the boundary of its Content-Type'])
    }
    // The parser puts U+FFFD in the place of what is not UTF-8.
    if ([...form].flat().some((text) => typeof text === 'string' && text.includes('\ufffd'))) {
      throw invalidRequest(['body has a text with U+FFFD, or one that is not UTF-8'])
    }
    const entries = Array.from(form, async ([name, sent]) => {
      const isKept = typeof sent === 'string' || find(name).mayBeFile
      return [name, isKept ? sent : decodeUtf8(await sent.bytes())] as const
    })
    return Promise.all(entries)
  }

  function parseUrlEncoded(bytes: Uint8Array): Entries {
    const pairs = parseQuery(decodeUtf8(bytes))
    if (pairs === undefined) throw invalidRequest(['body has a malformed percent-encoding'])
    return pairs.map(([name, text]) => [name, decode(text)])
  }

  /** Adds files whose media type is not one of their field (OpenAPI 3.1, Encoding Object) to the violations. */
  function checkFiles(entries: Entries, violations: string[]): void {
    for (const [name, file] of entries) {
      const types = encoding[name]?.contentType
      if (types === undefined || typeof file === 'string') continue
      if (types.split(',').some((type) => toPattern(type).test(file.type))) continue
      violations.push(`${formatMember('body', name)} must be a file of the type ${types}`)
    }
  }

  return {
    parse: (bytes: Uint8Array<ArrayBuffer>, type: string) =>
      /^multipart/i.test(type) ? parseMultipart(bytes, type) : parseUrlEncoded(bytes),
    read(entries: Entries, violations: string[]) {
      checkFiles(entries, violations)
      return readFields(entries as TextPairs, violations)
    },
  }
}
