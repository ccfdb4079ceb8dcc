/** Forms (OpenAPI 3.1, Media Type Object): their fields are the members of an object. */
import { type Content, getKind, toPattern } from '../document/content.ts'
import { toPointer } from '../document/pointers.ts'
import { memoizeByView, type SchemaView } from '../schema/view.ts'
import { createViolation, formatMember, invalidBody, takeValue } from '../schema/violations.ts'
import { TextError, toServerError, type Violation } from '../shared/errors.ts'
import { parseJson } from '../shared/json.ts'
import type { BodyContext, BodyParser } from './body-parser.ts'
import { createMemberFields, createObjectReader } from './fields.ts'
import { createMemoryFile, type Entries, type PartReceiver, receiveParts } from './form-parts.ts'
import { receiveBytes, receiveStream, tooLarge } from './receive.ts'
import { createFieldReader, createScalarReader, type FieldReader, mayBeFile } from './styles.ts'
import { decode, parseQuery, type TextPairs } from './text.ts'
import { decodeTextBody } from './text-body.ts'

/** The most fields of a form whose schema does not bound their number: each field costs time, and memory or a file. */
const MAX_FIELDS = 1000
/** The fields that a form may have besides: they are violations, whose messages name them. */
const SPARE_FIELDS = 100

/** The most bytes of all texts of a form with `x-stream`, which are in memory. */
const MAX_TEXT_BYTES = 1024 * 1024

/** Creates the parser of forms. With `x-stream`, their files are written to disk as they arrive. */
export function createFormParser({ schema, encoding = {}, isStreamed }: Content, context: BodyContext): BodyParser {
  const { compile, maxBytes, maxDepth, uploadFolder } = context
  const validate = compile(schema, 'request')
  const view = compile.views.get(schema)
  const getField = memoizeByView((member) => ({
    ...createFieldReader(member, compile, createEntryReader),
    mayBeFile: mayBeFile(member),
  }))
  const getJsonField = memoizeByView((member) => ({ ...createJsonFieldReader(member, maxDepth), mayBeFile: false }))
  // Their objects are read from JSON as well: in a multipart form of OpenAPI 3.0, the style has no effect.
  const deepObjects = Object.keys(encoding)
    .filter((name) => encoding[name]?.style === 'deepObject')
    .map((name) => createMemberFields({ name, style: 'deepObject' }, view.property(name), getField))
  const find = (name: string) => {
    for (const { findMember } of deepObjects) {
      const memberField = findMember(name)
      if (memberField !== undefined) return memberField
    }
    const member = view.property(name)
    const isJson = getKind(encoding[name]?.contentType?.toLowerCase() ?? '') === 'json' && !mayBeFile(member)
    return isJson ? getJsonField(member) : getField(member)
  }
  const maxFields = deepObjects.length > 0 ? MAX_FIELDS : getMaxFields(view)
  const readFields = createObjectReader('body', { names: [...view.propertyNames], find })

  function createEntryReader(value: SchemaView, isItem: boolean): (entry: string | File) => unknown {
    // Objects are JSON, and so are arrays within arrays (OpenAPI 3.1, Encoding Object).
    const isJson = isItem ? !value.isScalar : value.mentionedTypes.includes('object')
    const mustBeFile = value.mayBeBytes && !hasTextBranch(value)
    const readText = createScalarReader(value, compile)
    return (entry) => {
      if (typeof entry !== 'string') return entry
      const readValue = isJson ? parseJson(Buffer.from(entry), maxDepth) : readText(entry)
      // A schema of bytes allows texts: those of JSON.
      if (mustBeFile && typeof readValue === 'string')
        throw new TextError('must be a file', 'format', { format: 'binary' })
      return readValue
    }
  }

  const receiver: PartReceiver = {
    createFile: isStreamed ? uploadFolder.createFile : createMemoryFile,
    // Clients may send a text with a file name, too, as they must to give it a media type.
    isFile: ({ name, fileName }) => fileName !== undefined && find(name).mayBeFile,
    maxParts: maxFields,
    maxTextBytes: isStreamed ? MAX_TEXT_BYTES : maxBytes,
  }

  function parseUrlEncoded(bytes: Uint8Array): Entries {
    const text = decodeTextBody(bytes)
    // Each of these takes as much time as a part.
    if (text.split('&', maxFields + 1).length > maxFields) throw tooLarge(`has more than ${maxFields} fields`)
    const pairs = parseQuery(text)
    if (pairs === undefined) throw invalidBody('encoding', 'body has a malformed percent-encoding')
    return pairs.map(([name, text]) => [name, decode(text)])
  }

  /** Adds members of objects, `owner[name]`, that the document declares without the style `deepObject` to the violations. */
  function checkMembers(entries: Entries, violations: Violation[]): void {
    for (const [name] of entries) {
      const [, owner = ''] = /^([^[\]]+)\[.*\]$/s.exec(name) ?? []
      const isAllowed = view.declares(name) && !view.property(name).isNever
      if (!view.propertyNames.has(owner) || isAllowed || 'owner' in find(name)) continue
      const message = `${formatMember('body', name)} is not allowed: "${owner}" does not have the style deepObject`
      violations.push(
        createViolation({ in: 'body', pointer: toPointer(name), keyword: 'additionalProperties', message }),
      )
    }
  }

  /** Adds files whose media type is not one of their field (OpenAPI 3.1, Encoding Object) to the violations. */
  function checkFiles(entries: Entries, violations: Violation[]): void {
    for (const [name, file] of entries) {
      const types = encoding[name]?.contentType
      if (types === undefined || typeof file === 'string') continue
      if (types.split(',').some((type) => toPattern(type).test(file.type))) continue
      violations.push(
        createViolation({
          in: 'body',
          pointer: toPointer(name),
          keyword: 'contentMediaType',
          params: { contentMediaType: types },
          message: `${formatMember('body', name)} must be a file of the type ${types}`,
        }),
      )
    }
  }

  return {
    isStreamed,
    receive(payload, contentType, done) {
      if (!/^multipart/i.test(contentType)) {
        receiveBytes(payload, maxBytes, parseUrlEncoded, done)
        return
      }
      receiveParts(receiveStream(payload, maxBytes), contentType, receiver).then(
        ({ entries, removeFiles }) => done(null, entries, removeFiles),
        (thrown) => done(toServerError(thrown)),
      )
    },
    validate(entries, violations) {
      const sentEntries = (entries as Entries).filter(([, sent]) => !isEmptyInput(sent))
      checkFiles(sentEntries, violations)
      checkMembers(sentEntries, violations)
      return takeValue(validate(readFields(sentEntries as TextPairs, violations)), 'body', violations)
    },
  }
}

/**
 * Returns the most fields of a form: as many as its schema allows, with each item of an array by itself, and at least `MAX_FIELDS` if
 * it does not limit them.
 */
function getMaxFields(view: SchemaView): number {
  const counts = [...view.propertyNames].map((name) => {
    const { conjuncts, mentionedTypes } = view.property(name)
    return mentionedTypes.includes('array') ? Math.min(...conjuncts.map(({ maxItems = Infinity }) => maxItems)) : 1
  })
  const isLimited = view.undeclaredProperty.isNever && !view.hasPatterns && counts.every(Number.isFinite)
  const count = counts.filter(Number.isFinite).reduce((sum, maxItems) => sum + maxItems, SPARE_FIELDS)
  return isLimited ? count : Math.max(count, MAX_FIELDS)
}

/** True for a file input in which nothing is chosen: browsers send it as a file without name and content (HTML Standard, 4.10.22.4). */
function isEmptyInput(sent: string | File): boolean {
  return typeof sent !== 'string' && sent.name === '' && sent.size === 0
}

/** True if a branch allows texts that are not bytes. */
function hasTextBranch({ branchViews }: SchemaView): boolean {
  return branchViews.flat().some(({ mayBeBytes, mentionedTypes }) => !mayBeBytes && mentionedTypes.includes('string'))
}

/**
 * Creates the reader of a field whose media type is JSON. Clients send an array as a whole or each item by itself: `contentType`
 * (OpenAPI 3.1, Encoding Object) does not say which.
 */
function createJsonFieldReader({ mentionedTypes }: SchemaView, maxDepth: number): FieldReader {
  const isArray = mentionedTypes.includes('array')
  return {
    isRepeatable: isArray,
    read: (pairs) => {
      const values = pairs.map(([, text]) => parseJson(Buffer.from(text), maxDepth))
      return isArray && !(values.length === 1 && Array.isArray(values[0])) ? values : values[0]
    },
  }
}
