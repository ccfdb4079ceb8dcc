/** The fields of a form: the members of its object, parsed by their schemas and Encoding Objects (OpenAPI 3.1, Encoding Object). */
import { type Content, getKind } from '../document/content.ts'
import { memoize } from '../document/values.ts'
import type { SchemaView } from '../schema/view.ts'
import { TextError } from '../shared/errors.ts'
import { parseJson } from '../shared/parse-json.ts'
import type { BodyContext } from './body-parser.ts'
import { createMemberParsers, type FieldParser } from './fields.ts'
import type { FormValue } from './form-parts.ts'
import { createFieldParser, createScalarParser, mayBeFile } from './styles.ts'

/** The parser of a form field. */
export interface FormFieldParser extends FieldParser<FormValue> {
  /** True if a part with a file name becomes a file. */
  readonly mayBeFile: boolean
}

/** Creates the function that finds the parser of a form field. An undeclared field has one, too: validation rejects it. */
export function createFindFormField({ schema, encoding = {} }: Content, { compile, maxDepth }: BodyContext) {
  const formView = compile.views.get(schema)

  function createValueParser(view: SchemaView, isItem: boolean): (value: FormValue) => unknown {
    // Objects are JSON, and so are arrays within arrays.
    const isJson = isItem ? !view.isScalar : view.mentionedTypes.includes('object')
    const mustBeFile = view.mayBeBytes && !hasTextBranch(view)
    const parseScalar = createScalarParser(view, compile)
    return (value) => {
      if (typeof value !== 'string') return value
      const parsedValue = isJson ? parseJson(Buffer.from(value), maxDepth) : parseScalar(value)
      // A schema of bytes allows texts, which are bytes in JSON.
      if (mustBeFile && typeof parsedValue === 'string')
        throw new TextError('must be a file', 'format', { format: 'binary' })
      return parsedValue
    }
  }

  const getField = memoize(
    (member: SchemaView): FormFieldParser => ({
      ...createFieldParser(member, compile, createValueParser),
      mayBeFile: mayBeFile(member),
    }),
  )
  const getJsonField = memoize((member: SchemaView) => createJsonFieldParser(member, maxDepth))
  // These objects are also parsed from JSON: in a multipart form of OpenAPI 3.0, the style has no effect.
  const deepObjects = Object.keys(encoding)
    .filter((name) => encoding[name]?.style === 'deepObject')
    .map((name) => createMemberParsers({ name, style: 'deepObject' }, formView.property(name), getField))

  return (name: string): FormFieldParser => {
    for (const { find } of deepObjects) {
      const memberParser = find(name)
      if (memberParser !== undefined) return memberParser
    }
    const member = formView.property(name)
    const isJson = getKind(encoding[name]?.contentType?.toLowerCase() ?? '') === 'json' && !mayBeFile(member)
    return isJson ? getJsonField(member) : getField(member)
  }
}

/** True if a branch allows texts that are not bytes. */
function hasTextBranch({ branchViews }: SchemaView): boolean {
  return branchViews.flat().some(({ mayBeBytes, mentionedTypes }) => !mayBeBytes && mentionedTypes.includes('string'))
}

/**
 * Creates the parser of a field whose media type is JSON. Clients send an array as a whole or each item by itself: `contentType`
 * does not say which.
 */
function createJsonFieldParser({ mentionedTypes }: SchemaView, maxDepth: number): FormFieldParser {
  const isArray = mentionedTypes.includes('array')
  return {
    mayBeFile: false,
    isRepeatable: isArray,
    parse(texts) {
      const values = texts.map((text) => parseJson(Buffer.from(String(text)), maxDepth))
      return isArray && !(values.length === 1 && Array.isArray(values[0])) ? values : values[0]
    },
  }
}
