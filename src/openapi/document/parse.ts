/** Parses the files of a document, and remembers the position of each value, for the report of what is wrong. */
import {
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Range,
  type Scalar,
  visit,
  type Document as Yaml,
} from 'yaml'
import { DocumentError } from '../shared/errors.ts'
import { isNumber, parseJson, toNumeric } from '../shared/json.ts'
import type { OpenApi } from './model.ts'
import { parsePointer } from './references.ts'

/** A document as plain values, with its text and the positions in it. It may have any shape. */
export interface ParsedDocument {
  /** The bytes of the file; of several files, the document that they make, in YAML. */
  readonly source: Buffer
  /** The document as plain values; integers beyond 2^53 are bigint, up to 40 digits. Only a checked document is sure to have this shape. */
  readonly root: OpenApi
  /** References that lead to no file, or to nothing in it. */
  readonly problems: readonly Problem[]
  /** Returns `file:LINE:COL` of the value at a JSON pointer (RFC 6901), or of the nearest value around it. */
  locate(pointer: string): string
}

/** A file of a document as plain values. */
export interface ParsedFile {
  /** The path as messages show it, relative to the working directory. */
  readonly name: string
  readonly source: Buffer
  readonly value: unknown
  /** Returns `name:LINE:COL` of the value at a JSON pointer, or of the nearest value around it. */
  locate(pointer: string): string
}

/** A mistake in a document: the pointer to it, a sentence `what is wrong; what to do`, and the pointer to what it repeats. */
export interface Problem {
  readonly pointer: string
  readonly message: string
  readonly other?: string | undefined
  /** True if the document is served nevertheless, and what is wrong has no effect. */
  readonly isWarning?: boolean
}

/** Throws a DocumentError with all mistakes, in the order of the lines. If there are none, returns the lines of the warnings. */
export function throwProblems(document: Pick<ParsedDocument, 'locate'>, problems: readonly Problem[]): string[] {
  const mistakes = problems.filter(({ isWarning }) => isWarning !== true)
  if (mistakes.length > 0) throw new DocumentError(formatProblems(document, mistakes).join('\n'))
  return formatProblems(document, problems)
}

/** Returns a line `file:LINE:COL: what is wrong; what to do` for each problem, in the order of the document. */
export function formatProblems(document: Pick<ParsedDocument, 'locate'>, problems: readonly Problem[]): string[] {
  const lines = problems.map(({ pointer, message, other }) => {
    return `${document.locate(pointer)}: ${message}${other === undefined ? '' : ` (see ${document.locate(other)})`}`
  })
  const order = new Intl.Collator('en', { numeric: true })
  return [...new Set(lines)].sort(order.compare)
}

const TOO_DEEP = 'this is nested too deep, or has an alias within its own anchor; move a part of it into the components'

/** Runs what works on nested values. Where they would overflow the stack, throws a DocumentError with the place given. */
export function reportDepth<Result>(place: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new DocumentError(`${place}: ${TOO_DEEP}`)
  }
}

/**
 * Parses the bytes of a YAML 1.2 (or JSON) file. The meaning of the values is not checked here. Throws a TypeError if they are
 * not UTF-8, and a DocumentError if they are not YAML.
 */
export function parseFile(name: string, source: Buffer): ParsedFile {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(source)
  const lines = new LineCounter()
  const yaml = parseDocument(text, {
    lineCounter: lines,
    // A number would be rounded beyond 2^53.
    intAsBigInt: true,
    prettyErrors: false,
    // The values of JSON and no others, whatever the file asks for.
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
  })
  const formatPosition = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${name}:${line}:${col}`
  }
  const parserErrors = [...yaml.errors, ...yaml.warnings]
  // Errors after a tab only follow from it.
  const end = parserErrors.find(({ code }) => code === 'TAB_AS_INDENT')?.pos[0] ?? Infinity
  const errors = parserErrors
    .filter(({ pos: [offset] }) => offset <= end)
    .map(({ pos: [offset], code, message }) => {
      const isDeep = code === 'RESOURCE_EXHAUSTION'
      // Without the parser's advice for programs.
      const problem = isDeep ? TOO_DEEP : `invalid YAML: ${message.replace(/;.*/s, '')}; correct the syntax`
      return `${formatPosition(offset)}: ${problem}`
    })
  const checkNumber = (_key: unknown, scalar: Scalar) => {
    if (!isNumber(scalar.value)) return
    if (Number.isFinite(Number(scalar.value))) {
      // The parser rounds a large integer in exponent notation. In a body, the same text is exact.
      const isRounded = Number.isInteger(scalar.value) && !Number.isSafeInteger(scalar.value)
      if (isRounded) scalar.value = parseJson(Buffer.from(String(scalar.value)))
      return
    }
    const what = `JSON has no number ${scalar.source}`
    errors.push(`${formatPosition(getStart(scalar))}: ${what}; write another number, or put it in quotes`)
  }
  reportDepth(`${name}:1:1`, () => visit(yaml, { Scalar: checkNumber }))
  if (errors.length > 0) throw new DocumentError(errors.join('\n'))
  return {
    name,
    source,
    value: reportDepth(`${name}:1:1`, () => toValues(yaml, name)),
    locate: (pointer) => formatPosition(findOffset(yaml, parsePointer(pointer))),
  }
}

/** Converts YAML to plain values: an alias to the value of its anchor, an integer to what is read of it in a body, too. */
function toValues(yaml: Yaml, name: string): unknown {
  const narrow = (_key: unknown, value: unknown) => (typeof value === 'bigint' ? toNumeric(value) : value)
  try {
    return yaml.toJS({ maxAliasCount: 10_000, reviver: narrow })
  } catch (error) {
    // An alias has no anchor before it, or there are too many (https://en.wikipedia.org/wiki/Billion_laughs_attack).
    if (!(error instanceof ReferenceError)) throw error
    throw new DocumentError(`${name}:1:1: invalid YAML: ${error.message}; write out the value`)
  }
}

/** Finds the offset of the key (of a map) or the item (of a sequence) that the tokens lead to, or of the last one found. */
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

/** The offset of a node or key that was read from the file, and so has a range. */
function getStart(node: unknown): number {
  return (node as { readonly range: Range }).range[0]
}
