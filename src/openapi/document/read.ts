/** Reads a document: its first file, and the files that this refers to. */
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { DocumentError } from '../shared/errors.ts'
import { isObject, stringifyExactly } from '../shared/json.ts'
import { parseJson } from '../shared/parse-json.ts'
import { bundle } from './bundle.ts'
import { createFiles, type ReadOptions, readFirstFile } from './files.ts'
import type { OpenApi } from './model.ts'
import type { ParsedDocument, ParsedFile } from './parse.ts'
import { getValueAt, parsePointer, toPointer } from './pointers.ts'
import { withDepthLimit } from './problems.ts'
import { toObject } from './values.ts'

/** A document that a program has as an object, with the name that messages show: `name#/paths`. */
export interface NamedDocument {
  readonly name: string
  readonly value: object
}

/** Reads a document. The meaning of its values is not checked here. Throws a DocumentError if a file is not YAML. */
export function readDocument(source: string | NamedDocument, options: ReadOptions = {}): ParsedDocument {
  const isFile = typeof source === 'string'
  const firstFile = isFile ? readFirstFile(source, options) : toFile(source, options)
  if (!isObject(firstFile.value)) {
    throw new DocumentError(`${firstFile.locate('')}: this is not an OpenAPI document; begin it with "openapi: 3.1.0"`)
  }
  const files = createFiles(firstFile, options.root ?? (isFile ? dirname(source) : undefined), options)
  return withDepthLimit(firstFile.locate(''), () => {
    const { root, problems, locate } = bundle(firstFile, files)
    const bytes = files.isSingle() ? firstFile.source : toYaml(root)
    return { source: bytes, root: root as unknown as OpenApi, problems, locate }
  })
}

/** Creates a file of the values that an object has in JSON; positions in it are pointers. */
function toFile(source: NamedDocument, { root = '' }: ReadOptions): ParsedFile {
  // A program without types may pass the OpenAPI Object itself.
  const { name, value } = toObject(source)
  if (typeof name !== 'string' || typeof value !== 'object') {
    throw new DocumentError('this is not a document; pass a path, or { name, value }')
  }
  const { values, yaml } = toPlainValues(name, value)
  const locate = (pointer: string) => {
    const tokens = parsePointer(pointer)
    // Go up to the nearest value that exists; the object itself does.
    while (getValueAt(values, toPointer(...tokens)) === undefined) tokens.pop()
    return `${name}#${toPointer(...tokens)}`
  }
  return { path: join(root, name), name, source: yaml, value: values, locate }
}

/** Returns the values that an object has in JSON, and in YAML. */
function toPlainValues(name: string, value: object | null) {
  try {
    const values = parseJson(Buffer.from(stringifyExactly(value)))
    return { values, yaml: toYaml(values) }
  } catch (cause) {
    const what = 'this object contains itself, is nested too deep, or has what JSON does not have'
    throw new DocumentError(`${name}#: ${what}; pass plain values`, { cause })
  }
}

/** Writes values as YAML, without aliases: some programs do not read them. */
function toYaml(values: unknown): Buffer {
  return Buffer.from(stringify(values, { schema: 'core', aliasDuplicateObjects: false, lineWidth: 0 }))
}
