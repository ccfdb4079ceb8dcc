/** Writes what follows from OpenAPI documents; see `help` below. */
import { join } from 'node:path'
import type { GeneratedFile } from 'fastify-openapi-first/generate'
import { readArguments, runCommand, UsageError } from '../src/command.ts'
import { SERVER_HEADERS } from '../src/server-headers.ts'

const COMMAND = 'npm run generate'
const GENERATED = join(import.meta.dirname, '../generated')

const help = `usage: ${COMMAND} [-- --check]

Writes what follows from the OpenAPI documents that package.json names. Each gets three files in its folder:

  openapi.d.ts   for clients: the values that are sent. Members with a default may be left out.
  server.d.ts    for handlers: the requests that each receives, and the responses that it may return.
  digests.json   for the start of the service, which refuses a spec that the types were not generated from.

It also compiles the schema of the documents that the layer supports into generated/supported.js.

Options:
  --check      writes nothing, and only tells whether the files are up to date
  -h, --help   prints this

Example:
  ${COMMAND} -- --check

Exit status: 0 done, 1 not possible or not up to date, 2 wrong usage.`

await runCommand(async (args) => {
  const { texts, values } = readArguments(args, {
    command: COMMAND,
    help,
    names: ['DOCUMENT', 'FOLDER', '...'],
    options: { check: { type: 'boolean', default: false } },
  })
  if (texts.length % 2 === 1) throw new UsageError(`the last DOCUMENT has no FOLDER; see ${COMMAND} -- --help`)
  // They load the compiler, which help and wrong usage do not wait for.
  const { compileSupported } = await import('./supported.ts')
  const { findStaleFiles, generate, writeFiles } = await import('fastify-openapi-first/generate')
  const stale: string[] = []
  const write = (files: readonly GeneratedFile[], folder: string, from: string) => {
    if (!values.check) {
      writeFiles(files, folder)
      return
    }
    const staleFiles = findStaleFiles(files, folder)
    stale.push(...staleFiles.map(({ path }) => `${path} is not up to date with ${from}; run: ${COMMAND}`))
  }
  // Written before a document is loaded: `loadDocument` checks documents with it.
  const supported = { name: 'supported.js', text: compileSupported() }
  write([supported], GENERATED, 'src/openapi/check/supported.yaml')
  for (let index = 0; index < texts.length; index += 2) {
    const [file = '', folder = ''] = texts.slice(index)
    write(await generate(file, { serverHeaders: SERVER_HEADERS }), folder, file)
  }
  if (stale.length > 0) throw new Error(stale.join('\n'))
})
