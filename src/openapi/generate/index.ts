/** Generates what follows from a document: types for clients and handlers, and the digests of the document. */
import '../shared/node-version.ts'

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { checkCodecs } from '../check/codecs.ts'
import { computeDigests } from '../check/digests.ts'
import { type LoadOptions, loadDocument } from '../check/document.ts'
import { type Codecs, markCodecs } from '../document/codecs.ts'
import { throwProblems } from '../document/problems.ts'
import { type ClientTypesOptions, generateClientTypes } from './client.ts'
import { generateServerTypes } from './server.ts'

interface GenerateOptions extends LoadOptions, ClientTypesOptions, Partial<Codecs> {
  /** The headers that the app sends by itself, and no handler. */
  readonly serverHeaders?: readonly string[]
  /** Is called with each warning of the document. With `problems: 'skip'`, these include mistakes and skipped operations. */
  readonly onWarning?: ((line: string) => void) | undefined
}

/** A generated file, without its folder. */
export interface GeneratedFile {
  readonly name: string
  readonly text: string
}

/** Generates `openapi.d.ts`, `server.d.ts` and `digests.json` from the document in a file. Rejects with a DocumentError. */
export async function generate(
  file: string,
  {
    parsers = [],
    serializers = [],
    serverHeaders = [],
    readWriteMarkers,
    onWarning,
    ...loadOptions
  }: GenerateOptions = {},
): Promise<GeneratedFile[]> {
  const document = await loadDocument(file, loadOptions)
  for (const line of document.warnings) onWarning?.(line)
  const codecs = { parsers: sortNames(parsers), serializers: sortNames(serializers) }
  const operations = markCodecs(document.operations, codecs)
  throwProblems(document, [...checkCodecs(operations, codecs)])
  const lowerCaseHeaders = serverHeaders.map((name) => name.toLowerCase())
  const note = `// Generated from ${basename(file)}; do not edit.\n`
  return [
    { name: 'openapi.d.ts', text: note + generateClientTypes(document, { readWriteMarkers }) },
    { name: 'server.d.ts', text: note + generateServerTypes({ ...document, operations }, lowerCaseHeaders) },
    { name: 'digests.json', text: `${JSON.stringify(computeDigests(document, codecs), undefined, 2)}\n` },
  ]
}

/** Sorts names without repetitions, so that their order in the options does not change the digests. */
function sortNames(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}

/** Finds the files that differ from those in a folder, which need not exist. Returns the paths with the texts to write. */
export function findStaleFiles(files: readonly GeneratedFile[], folder: string): { path: string; text: string }[] {
  return files
    .map(({ name, text }) => ({ path: join(folder, name), text }))
    .filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
}

/** Writes the files that differ from those in a folder, which is made if it does not exist. */
export function writeFiles(files: readonly GeneratedFile[], folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const { path, text } of findStaleFiles(files, folder)) writeFileSync(path, text)
}
