/** Bodies of forms (OpenAPI 3.1, Media Type Object): their fields are the members of an object. */
import { type MediaType, toPattern } from '../document/content.ts'
import { toPointer } from '../document/pointers.ts'
import { formatMember } from '../schema/messages.ts'
import type { SchemaView } from '../schema/view.ts'
import { toServerError, type Violation } from '../shared/errors.ts'
import type { BodyContext, BodyParser } from './body-parser.ts'
import { createFieldsParser, type SentField } from './field-parsers.ts'
import { createFindFormField } from './form-fields.ts'
import { createMemoryFile, type FormValue, type PartReceiver, receiveParts } from './form-parts.ts'
import { decodeTextBody, receiveBytes, receiveStream, tooLarge } from './receive.ts'
import { decodePercent, parseUrlEncoded } from './sent-fields.ts'
import { createViolation, invalidBody, takeValidValue } from './violations.ts'

/** The most fields of a form besides the items of bounded arrays: each field costs time, and memory or a file. */
const MAX_FIELDS = 1000

/** The most bytes of all texts of a form with `x-stream`, which are in memory. */
const MAX_TEXT_BYTES = 1024 * 1024

type Encodings = NonNullable<MediaType['encoding']>
type FormFields = readonly SentField<FormValue>[]

/** Creates the parser of forms. With `x-stream`, their files are written to disk as they arrive. */
export function createFormParser(media: MediaType, context: BodyContext): BodyParser {
  const { encoding = {}, isStreamed, schema } = media
  const { compile, maxBytes, uploadFolder } = context
  const view = compile.views.get(schema)
  const validate = compile(schema, 'request')
  const findField = createFindFormField(media, context)
  const maxFields = getMaxFields(view)
  const parseFields = createFieldsParser('body', { names: [...view.propertyNames], find: findField })
  const receiver: PartReceiver = {
    createFile: (header) => (isStreamed ? uploadFolder.createFile(header) : createMemoryFile(header)),
    // Clients may send a text with a file name, too, as they must to give it a media type.
    isFile: ({ name, fileName }) => fileName !== undefined && findField(name).mayBeFile,
    maxParts: maxFields,
    maxTextBytes: isStreamed ? MAX_TEXT_BYTES : maxBytes,
  }
  return {
    isStreamed,
    receive(payload, contentType, done, onEnd) {
      if (!/^multipart/i.test(contentType)) {
        receiveBytes(payload, maxBytes, (bytes) => parseUrlEncodedBody(bytes, maxFields), done)
        return
      }
      receiveParts(receiveStream(payload, maxBytes), contentType, receiver).then(
        ({ fields, removeFiles }) => {
          onEnd?.(removeFiles)
          done(null, fields)
        },
        // An error of a stream that a hook put in place of the request has a status: see `receiveStream`.
        (thrown) => done(thrown === payload.errored ? thrown : toServerError(thrown)),
      )
    },
    validate(parsedBody, violations) {
      const fields = (parsedBody as FormFields).filter(([, value]) => !isEmptyInput(value))
      // Parse before files are checked: otherwise, many files of a wrong type stop the parser, and hide other violations.
      const object = parseFields(fields, violations)
      violations.push(...fields.flatMap((field) => checkFile(field, encoding)))
      return object && takeValidValue(validate(object), 'body', violations)
    },
  }
}

/** Returns the most fields of a form: 1000, and as many as the arrays of its schema may have items. */
function getMaxFields(view: SchemaView): number {
  const members = [...view.propertyNames].map((name) => view.property(name))
  return members.flatMap(({ conjuncts }) => conjuncts).reduce((sum, { maxItems = 0 }) => sum + maxItems, MAX_FIELDS)
}

/** Parses the bytes of a form that is not multipart. Throws a 400 or 413. */
function parseUrlEncodedBody(bytes: Uint8Array, maxFields: number): FormFields {
  const text = decodeTextBody(bytes)
  // Count before parsing: a field takes as much time as a part.
  if (text.split('&', maxFields + 1).length > maxFields) throw tooLarge(`has more than ${maxFields} fields`)
  const fields = parseUrlEncoded(text)
  if (fields === undefined) throw invalidBody('encoding', 'body has a malformed percent-encoding')
  // Slices would keep the whole text of the body in memory.
  return structuredClone(fields.map(([name, value]) => [name, decodePercent(value)] as const))
}

/** True for a file input in which nothing is chosen: browsers send it as a file without name and content (HTML Standard, 4.10.22.4). */
function isEmptyInput(value: FormValue): boolean {
  return typeof value !== 'string' && value.name === '' && value.size === 0
}

/** Finds a file whose media type is not one of its field (OpenAPI 3.1, Encoding Object). */
function checkFile([name, file]: SentField<FormValue>, encoding: Encodings): Violation[] {
  const types = encoding[name]?.contentType
  if (types === undefined || typeof file === 'string') return []
  if (types.split(',').some((type) => toPattern(type).test(file.type))) return []
  const params = { contentMediaType: types }
  const message = `${formatMember('body', name)} must be a file of the type ${types}`
  return [createViolation({ in: 'body', pointer: toPointer(name), keyword: 'contentMediaType', params, message })]
}
