/** Reads an OpenAPI document from its file. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { readChecked } from './checked.ts'
import { DocumentError, type OpenApiDocument } from './document.ts'

const require = createRequire(import.meta.url)

/**
 * Reads a document from a YAML 1.2 (or JSON) file. The meaning of the values is not checked here, but may have been: if
 * `checkedFile` was written for the same bytes, the values come from there.
 * Throws a DocumentError if the file cannot be read or is not YAML.
 */
export function loadDocument(file: string, checkedFile?: URL): OpenApiDocument {
  const name = relative(process.cwd(), file) || file
  const source = readSource(file, name)
  // Loaded only if it is needed: with its parser, that takes a fifth of a start.
  const parse = () => (require('./yaml.ts') as typeof import('./yaml.ts')).parseYaml(source, name)
  const checked = checkedFile && readChecked(checkedFile, source)
  return checked === undefined
    ? { source, ...parse() }
    : { source, ...checked, locate: (pointer) => parse().locate(pointer) }
}

function readSource(file: string, name: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new DocumentError(`${name}:1:1: the file cannot be read (${code}); check its name and permissions`)
  }
}
