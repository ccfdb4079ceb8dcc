/**
 * Reads an OpenAPI document and remembers where in the file each of its values stands.
 */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import {
  isAlias,
  isMap,
  isPair,
  isSeq,
  LineCounter,
  parseDocument,
  type Range,
  type Scalar,
  visit,
  type Document as Yaml,
} from 'yaml'
import type { OpenApi } from './model.ts'
import { tokensOf } from './pointer.ts'

/** An OpenAPI document as plain values, with its text and the positions in it. */
export interface ApiDocument {
  /** The file's own bytes. */
  readonly source: Buffer
  /** The document as plain values; integers beyond 2^53 are bigint. Only a checked document is sure to have this shape. */
  readonly root: OpenApi
  /** `file:LINE:COL` of what a JSON pointer (RFC 6901) into the document names, or of what comes nearest to it. */
  locate(pointer: string): string
}

/** Something that is wrong with a document: the pointer to the place, and a sentence `what is wrong; what to do`. */
export interface Problem {
  readonly pointer: string
  readonly message: string
}

/** A document that the engine refuses; the message has one line `file:LINE:COL: what is wrong; what to do` per problem. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'

  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
  }
}

/**
 * Reads a document from a YAML 1.2 (or JSON) file. What the values mean is not looked at here: see `checkDocument`.
 * Throws a DocumentError when the file cannot be read or is not YAML.
 */
export function loadDocument(file: string): ApiDocument {
  const name = relative(process.cwd(), file) || file
  const source = read(file, name)
  const lines = new LineCounter()
  const yaml = parseDocument(decode(source, name), {
    lineCounter: lines,
    intAsBigInt: true,
    prettyErrors: false,
    // The values of JSON and no others, whatever the file asks for.
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
  })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${name}:${line}:${col}`
  }
  const faults = [...syntaxFaults(yaml), ...valueFaults(yaml)]
  if (faults.length > 0) throw new DocumentError(faults.map(({ offset, message }) => `${at(offset)}: ${message}`))
  return {
    source,
    root: narrow(toValues(yaml, name)) as OpenApi,
    locate: (pointer) => at(offsetOf(yaml, tokensOf(pointer))),
  }
}

/** Throws every problem at once, in the order of the lines; does nothing when there is none. */
export function refuse(document: ApiDocument, problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const lines = problems.map(({ pointer, message }) => `${document.locate(pointer)}: ${message}`)
  const order = new Intl.Collator('en', { numeric: true })
  throw new DocumentError([...new Set(lines)].sort(order.compare))
}

function read(file: string, name: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new DocumentError([`${name}:1:1: the file cannot be read (${code}); check that it is there and readable`])
  }
}

function decode(source: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(source)
  } catch {
    throw new DocumentError([`${name}:1:1: the file is not UTF-8; save it in that encoding`])
  }
}

interface Fault {
  readonly offset: number
  readonly message: string
}

function syntaxFaults({ errors, warnings }: Yaml): Fault[] {
  return [...errors, ...warnings].map(({ pos: [offset], code, message }) => ({
    offset,
    message: FAULTS[code] ?? `not YAML: ${message}; correct the syntax`,
  }))
}

/** What the parser says in terms of itself. */
const FAULTS: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'here begins a second document; keep one in the file',
  NON_STRING_KEY: 'this key is a collection; make it a text',
}

/** Numbers that JSON does not have, and aliases that stand for nothing, or for what they are a part of. */
function valueFaults(yaml: Yaml): Fault[] {
  const faults: Fault[] = []
  visit(yaml, {
    Scalar: (_key, { range, source, value }) => {
      if (typeof value !== 'number' || Number.isFinite(value)) return
      const message = `${source} is no number of JSON; write one that is, or put it in quotes`
      faults.push({ offset: (range as Range)[0], message })
    },
    Alias: (_key, alias, ancestors) => {
      const anchored = alias.resolve(yaml)
      if (anchored !== undefined && !ancestors.includes(anchored)) return
      const what = anchored === undefined ? 'there is no such anchor before it' : 'it stands within its own anchor'
      const message = `the alias "*${alias.source}" stands for nothing, for ${what}; write out what it is to stand for`
      faults.push({ offset: startOf(alias), message })
    },
  })
  return faults
}

/** The plain values; each alias stands for a copy of what its anchor has. */
function toValues(yaml: Yaml, name: string): unknown {
  if (!isMap(yaml.contents)) {
    throw new DocumentError([`${name}:1:1: this is no OpenAPI document; begin it with "openapi: 3.1.0"`])
  }
  try {
    return yaml.toJS({ maxAliasCount: 10_000 })
  } catch {
    // https://en.wikipedia.org/wiki/Billion_laughs_attack
    throw new DocumentError([`${name}:1:1: the aliases multiply beyond measure; write out what they stand for`])
  }
}

/** Integers are read as bigint, so that none is rounded; those that a number holds exactly become numbers again. */
function narrow(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (Array.isArray(value)) return value.map(narrow)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, narrow(inner)]))
}

/** Where the key (of a map) or the item (of a sequence) stands that the tokens lead to; the last one found counts. */
function offsetOf(yaml: Yaml, tokens: readonly string[]): number {
  let node: unknown = yaml.contents
  let offset = startOf(node)
  for (const token of tokens) {
    const collection = isAlias(node) ? node.resolve(yaml) : node
    const next = isMap(collection)
      ? collection.items.find(({ key }) => (key as Scalar).value === token)
      : isSeq(collection)
        ? collection.items[Number(token)]
        : undefined
    if (next === undefined) break
    offset = startOf(isPair(next) ? next.key : next)
    node = isPair(next) ? next.value : next
  }
  return offset
}

/** A node that was read has its range, and so has each key. */
function startOf(node: unknown): number {
  return (node as { readonly range: Range }).range[0]
}
