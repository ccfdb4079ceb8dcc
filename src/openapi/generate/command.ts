#!/usr/bin/env node
/** The command `fastify-openapi-first`; see `help` below. */
import { parseArgs } from 'node:util'

const help = `usage: npx fastify-openapi-first [OPTION]... DOCUMENT FOLDER

Writes what follows from an OpenAPI document. It needs the packages typescript@5 and openapi-typescript.

  openapi.d.ts   for clients: the values that are sent. Members with a default may be left out.
  server.d.ts    for handlers: the requests that each receives, and the responses that it may return.
  digests.json   for the start of the app, which rejects a document that the types were not generated from.

Arguments:
  DOCUMENT     a document in YAML or JSON
  FOLDER       the folder that the files go to; it is made if it does not exist

Options:
  --check                  writes nothing, and only tells whether the files are up to date
  --int64 TYPE             bigint (the default), or number as the option int64 of loadDocument
  --parsers TYPES          the media types that content type parsers of the app read, with commas between them:
                           application/xml,text/csv
  --read-write-markers     marks members of openapi.d.ts that are readOnly or writeOnly, for a client such as openapi-fetch:
                           its requests lack the first, and its responses the second
  --root FOLDER            the folder with all files of the document (default: the folder of DOCUMENT)
  --serializers TYPES      the media types that the option serializers of the app has, with commas between them
  --server-headers NAMES   the headers that the app sends by itself, and no handler, with commas between them
  --skip-problems          leaves out operations that have mistakes, as the option problems of loadDocument, and prints them
  -h, --help               prints this

Example:
  npx fastify-openapi-first openapi.yaml types

Exit status: 0 done, 1 not possible or not up to date, 2 wrong usage.`

class UsageError extends Error {
  override readonly name = 'UsageError'
}

try {
  await run()
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  const advice = code === 'ERR_MODULE_NOT_FOUND' ? '; run: npm install --save-dev typescript@5 openapi-typescript' : ''
  console.error(message + advice)
  // The codes of `parseArgs` begin with ERR_PARSE_ARGS.
  process.exitCode = error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS') ? 2 : 1
}

function wrongUsage(problem: string): UsageError {
  return new UsageError(`${problem}; see npx fastify-openapi-first --help`)
}

function splitNames(names: string): string[] {
  return names
    .trim()
    .split(/\s*,\s*/)
    .filter(Boolean)
}

function parseCommand() {
  return parseArgs({
    allowPositionals: true,
    options: {
      check: { type: 'boolean', default: false },
      int64: { type: 'string', default: 'bigint' },
      parsers: { type: 'string', default: '' },
      'read-write-markers': { type: 'boolean', default: false },
      root: { type: 'string' },
      serializers: { type: 'string', default: '' },
      'server-headers': { type: 'string', default: '' },
      'skip-problems': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
}

async function run(): Promise<void> {
  const { positionals, values } = parseCommand()
  if (values.help) {
    console.log(help)
    return
  }
  const [file, folder] = positionals
  const int64 = (['bigint', 'number'] as const).find((type) => type === values.int64)
  if (file === undefined || folder === undefined || positionals.length > 2)
    throw wrongUsage('give one DOCUMENT and one FOLDER')
  if (int64 === undefined) throw wrongUsage('--int64 is neither bigint nor number')
  // Help and wrong usage do not wait for the compiler. TypeScript 7 is a program without the functions that write types.
  const { default: ts } = await import('typescript')
  if (ts.factory === undefined) throw new Error(`TypeScript ${ts.version} cannot write types; install typescript@5`)
  const { findStaleFiles, generate, writeFiles } = await import('./index.ts')
  const files = await generate(file, {
    int64,
    root: values.root,
    ...(values['skip-problems'] && { problems: 'skip', onWarning: console.error }),
    readWriteMarkers: values['read-write-markers'],
    parsers: splitNames(values.parsers),
    serializers: splitNames(values.serializers),
    serverHeaders: splitNames(values['server-headers']),
  })
  if (!values.check) {
    writeFiles(files, folder)
    return
  }
  const stale = findStaleFiles(files, folder).map(({ path }) => `${path} is not up to date with ${file}`)
  if (stale.length > 0) throw new Error(stale.join('\n'))
}
