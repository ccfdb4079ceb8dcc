#!/usr/bin/env node
/**
 * Writes what follows from OpenAPI documents; see `help` below.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments, runCommand, UsageError } from '../src/command.ts'
import { loadDocument } from '../src/openapi/index.ts'
import { computeDigests } from '../src/openapi/tools.ts'

/** False in the package of the layer, which is JavaScript: it does not write the validator, and knows no service. */
const IS_OWN = import.meta.filename.endsWith('.ts')
const GENERATED = join(import.meta.dirname, '../generated')
const COMMAND = IS_OWN ? 'npm run generate' : 'npx generate-types'

const help = `usage: ${IS_OWN ? `${COMMAND} [-- --check]` : `${COMMAND} [OPTION]... DOCUMENT FOLDER [DOCUMENT FOLDER]...`}

Writes what follows from OpenAPI documents. Each gets three files in the folder named after it:

  openapi.d.ts   for clients: the values that are sent. Members with a default may be left out.
  server.d.ts    for handlers: the requests that each receives, and the responses that it may return.
  digests.json   for the start of the service, which refuses a spec that the types were not generated from.

Arguments:
  DOCUMENT     a document${IS_OWN ? '; package.json names the documents of this repository' : ''}
  FOLDER       the folder that they go to; it is made if it does not exist

Options:
  --check                  writes nothing, and only tells whether the files are up to date
  --root FOLDER            the folder with all files of each document (default: the folder of the document)
  --server-headers NAMES   the headers that the app sends by itself, and no handler, with commas between them
  -h, --help               prints this

Example:
  ${IS_OWN ? `${COMMAND} -- --check` : `${COMMAND} openapi.yaml generated`}

Exit status: 0 done, 1 not possible or not up to date, 2 wrong usage.`

await runCommand(async (args) => {
  const { documents, isCheck, root, serverHeaders } = await parseArguments(args)
  const write = (files: readonly GeneratedFile[], folder: string, from: string) =>
    writeFiles(files, folder, isCheck).map((file) => `${file} is not up to date with ${from}; run: ${COMMAND}`)
  // Written before a document is loaded: `loadDocument` checks documents with it.
  const stale = IS_OWN ? write([await generateSupported()], GENERATED, 'src/openapi/check/supported.yaml') : []
  for (const [file, folder] of documents) {
    stale.push(...write(await generate(file, root, serverHeaders), folder, file))
  }
  if (isCheck && stale.length > 0) throw new Error(stale.join('\n'))
})

async function parseArguments(args: readonly string[]) {
  const { texts, values } = readArguments(args, {
    command: COMMAND,
    help,
    names: ['DOCUMENT', 'FOLDER', '...'],
    options: { check: { type: 'boolean' }, root: { type: 'string' }, 'server-headers': { type: 'string' } },
  })
  if (texts.length % 2 === 1) throw new UsageError(`the last DOCUMENT has no FOLDER; see ${COMMAND} -- --help`)
  const documents: [file: string, folder: string][] = []
  for (let index = 0; index < texts.length; index += 2) documents.push([String(texts[index]), String(texts[index + 1])])
  const ownHeaders = IS_OWN ? (await import('../src/server-headers.ts')).SERVER_HEADERS : []
  const serverHeaders = values['server-headers']?.split(',') ?? ownHeaders
  return { documents, isCheck: values.check === true, root: values.root, serverHeaders }
}

interface GeneratedFile {
  readonly name: string
  readonly text: string
}

/** Returns the files in the folder that were not up to date; `isCheck` leaves them as they are. */
function writeFiles(files: readonly GeneratedFile[], folder: string, isCheck: boolean): string[] {
  const stale = files
    .map(({ name, text }) => ({ target: join(folder, name), text }))
    .filter(({ target, text }) => !existsSync(target) || readFileSync(target, 'utf8') !== text)
  for (const { target, text } of isCheck ? [] : stale) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(target, text)
  }
  return stale.map(({ target }) => target)
}

/** Generates the schema with which `loadDocument` checks documents. The package of the layer has it already. */
async function generateSupported(): Promise<GeneratedFile> {
  const { compileSupported } = await import('./generate/supported.ts')
  return { name: 'supported.js', text: compileSupported() }
}

async function generate(
  file: string,
  root: string | undefined,
  serverHeaders: readonly string[],
): Promise<GeneratedFile[]> {
  // They load the compiler, which help and wrong usage do not wait for.
  const { generateClientTypes } = await import('./generate/client.ts')
  const { generateServerTypes } = await import('./generate/server.ts')
  const document = await loadDocument(file, { root })
  const note = `// Generated from ${file}; do not edit.\n`
  return [
    { name: 'openapi.d.ts', text: note + generateClientTypes(document) },
    { name: 'server.d.ts', text: note + generateServerTypes(document, serverHeaders) },
    { name: 'digests.json', text: `${JSON.stringify(computeDigests(document), undefined, 2)}\n` },
  ]
}
