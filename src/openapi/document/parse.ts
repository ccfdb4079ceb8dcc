/** Parses the files of a document, and remembers the position of each value. */
import { relative } from 'node:path'
import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Range,
  type ScalarTag,
  type Tags,
  type Document as Yaml,
} from 'yaml'
import { DocumentError } from '../shared/errors.ts'
import { toNumeric } from '../shared/json.ts'
import { parseJson } from '../shared/parse-json.ts'
import type { OpenApi } from './model.ts'
import { parsePointer } from './pointers.ts'
import { type Located, type Problem, TOO_DEEP, withDepthLimit } from './problems.ts'

/** A document as plain values, with its text and the positions in it. */
export interface ParsedDocument extends Located {
  /** The bytes of the file; of several files, the document that they make, in YAML. */
  readonly source: Buffer
  /**
   * The plain values; integers beyond 2^53 are bigint, up to 40 digits. The type holds for a checked document: before
   * `checkDocument`, the values may have any shape.
   */
  readonly root: OpenApi
  /** References that lead to no file, or to nothing in it. */
  readonly problems: readonly Problem[]
}

/** A file of a document as plain values. */
export interface ParsedFile extends Located {
  /** Relative URIs in the file start from it. */
  readonly path: string
  /** The path as messages show it. */
  readonly name: string
  readonly source: Buffer
  readonly value: unknown
}

/**
 * Parses the bytes of a YAML 1.2 (or JSON) file. The meaning of the values is not checked here. Throws a TypeError if they are
 * not UTF-8, and a DocumentError if they are not YAML.
 */
export function parseFile(path: string, source: Buffer): ParsedFile {
  const name = formatPath(path)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(source)
  const lines = new LineCounter()
  const yaml = parseDocument(text, { ...YAML_OPTIONS, lineCounter: lines })
  const formatPosition = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${name}:${line}:${col}`
  }
  const value = withDepthLimit(`${name}:1:1`, () => {
    const errors = findSyntaxErrors(yaml)
    if (errors.length > 0) {
      throw new DocumentError(errors.map(({ offset, message }) => `${formatPosition(offset)}: ${message}`).join('\n'))
    }
    return toValues(yaml, name)
  })
  return { path, name, source, value, locate: (pointer) => formatPosition(findOffset(yaml, parsePointer(pointer))) }
}

/** Returns a path as messages show it: relative to the working directory. */
export function formatPath(path: string): string {
  return relative(process.cwd(), path) || '.'
}

const YAML_OPTIONS = {
  // Otherwise, integers beyond 2^53 are rounded.
  intAsBigInt: true,
  // Otherwise, messages contain an excerpt of the file.
  prettyErrors: false,
  // Accept only the values of JSON: the file may ask for others, such as dates, by a tag or a %YAML directive.
  schema: 'core',
  resolveKnownTags: false,
  stringKeys: true,
  customTags: toJsonTags,
} as const

/** Finds what the parser rejects, each with its offset and a sentence `what is wrong; what to do`. */
function findSyntaxErrors(yaml: Yaml) {
  const parserErrors = [...yaml.errors, ...yaml.warnings]
  // Drop the errors after a tab that indents: they follow from it.
  const firstTabOffset = parserErrors.find(({ code }) => code === 'TAB_AS_INDENT')?.pos[0] ?? Infinity
  return parserErrors
    .filter(({ pos: [offset] }) => offset <= firstTabOffset)
    .map(({ pos: [offset], code, message }) => {
      if (code === 'RESOURCE_EXHAUSTION') return { offset, message: TOO_DEEP }
      if (message.endsWith(NUMBER_ADVICE)) return { offset, message }
      // After a semicolon, the parser's message has advice about its API.
      return { offset, message: `invalid YAML: ${message.replace(/;.*/s, '')}; correct the syntax` }
    })
}

/** The end of the errors of `toExactNumberTag`, by which they are found: the parser keeps only their texts, among its own errors. */
const NUMBER_ADVICE = 'write another number, or put it in quotes'

/** Returns the tags of YAML with the numbers of JSON: integers are exact, and what JSON cannot express is an error. */
function toJsonTags(tags: Tags): Tags {
  const isNumberTag = (tag: Tags[number]): tag is ScalarTag =>
    typeof tag === 'object' && tag.collection === undefined && /:(int|float)$/.test(tag.tag)
  return tags.map((tag) => (isNumberTag(tag) ? toExactNumberTag(tag) : tag))
}

function toExactNumberTag(tag: ScalarTag): ScalarTag {
  return {
    ...tag,
    resolve(source, onError, options) {
      // A bigint for integers, also in the notation of 0x and 0o; a number for fractions and exponents.
      const value = tag.resolve(source, onError, options)
      if (typeof value === 'bigint' && Number.isFinite(Number(value))) return toNumeric(value)
      try {
        // The parser of YAML rounds `9007199254740993.0` to 2^53, and the parser of bodies does not.
        return parseJson(Buffer.from(toJsonNotation(source)))
      } catch {
        return onError(`the number ${source} cannot be kept exactly; ${NUMBER_ADVICE}`)
      }
    },
  }
}

/** Returns a decimal number in the notation of JSON: `+.5e20` becomes `0.5e20`, and `-007` becomes `-7.0`. */
function toJsonNotation(source: string): string {
  return source.replace(/^\+?(-?)0*(\d*)\.?(\d*)/, (_match, sign, whole, fraction) => {
    return `${sign}${whole || 0}.${fraction || 0}`
  })
}

/** Converts YAML to plain values: an alias to its anchor's value. */
function toValues(yaml: Yaml, name: string): unknown {
  try {
    return yaml.toJS({ maxAliasCount: 10_000 })
  } catch (error) {
    // An alias has no anchor before it, or there are too many (https://en.wikipedia.org/wiki/Billion_laughs_attack).
    if (!(error instanceof ReferenceError)) throw error
    throw new DocumentError(`${name}:1:1: invalid YAML: ${error.message}; write out the value`)
  }
}

/** Finds the offset of the key in a map, or the item in a sequence, that the tokens lead to, or of its nearest ancestor. */
function findOffset(yaml: Yaml, tokens: readonly string[]): number {
  let node: unknown = yaml.contents
  let offset = node === null ? 0 : getStart(node)
  for (const token of tokens) {
    const collection = isAlias(node) ? node.resolve(yaml) : node
    const next = isMap(collection)
      ? collection.items.find(({ key }) => isScalar(key) && key.value === token)
      : isSeq(collection)
        ? collection.items[Number(token)]
        : undefined
    if (next === undefined) break
    offset = getStart(isPair(next) ? next.key : next)
    node = isPair(next) ? next.value : next
  }
  return offset
}

/** Returns the offset of a node or key. Each has a range, because the parser made it. */
function getStart(node: unknown): number {
  return (node as { readonly range: Range }).range[0]
}
