/**
 * Writes the types that follow from OpenAPI documents; with --check, only tells whether they are up to date.
 *
 *     node scripts/generate.ts [--check] [DOCUMENT FOLDER]...
 *
 * Each document gets three files in the folder named after it:
 * - openapi.d.ts, for clients: the values that are sent. Members with a default may be left out.
 * - server.d.ts, for handlers: the requests that each receives, and the responses that it may return.
 * - digests.json, for the start of the service, which refuses a spec that the types were not generated from.
 *
 * Exit status: 0 done, 1 not possible or not up to date, 2 wrong usage.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkDocument, computeDigests, loadDocument, throwProblems } from '../src/openapi/index.ts'
import { generateClientTypes } from './generate/client.ts'
import { generateServerTypes } from './generate/server.ts'
import { runCommand, UsageError } from './lib/command.ts'

const usage = 'usage: node scripts/generate.ts [--check] [DOCUMENT FOLDER]...'

await runCommand(async (args) => {
  const { isCheck, documents } = parseArguments(args)
  const stale: string[] = []
  for (const [file, folder] of documents) {
    for (const { name, text } of await generate(file)) {
      const target = join(folder, name)
      if (text === readOptionalFile(target)) continue
      stale.push(`${target} is not up to date with ${file}; run: npm run generate`)
      if (isCheck) continue
      mkdirSync(folder, { recursive: true })
      writeFileSync(target, text)
    }
  }
  if (isCheck && stale.length > 0) throw new Error(stale.join('\n'))
})

function parseArguments(args: string[]): { isCheck: boolean; documents: [string, string][] } {
  const names = args.filter((arg) => arg !== '--check')
  if (names.length === 0 || names.length % 2 === 1 || names.some((name) => name.startsWith('-'))) {
    throw new UsageError(usage)
  }
  const documents = names.flatMap((file, index): [string, string][] => {
    return index % 2 === 0 ? [[file, names[index + 1] as string]] : []
  })
  return { isCheck: names.length < args.length, documents }
}

/** Returns the files that follow from a document. */
async function generate(file: string): Promise<{ name: string; text: string }[]> {
  const document = loadDocument(file)
  throwProblems(document, checkDocument(document.root))
  const note = `// Written by scripts/generate.ts from ${file}; do not edit.\n`
  return [
    { name: 'openapi.d.ts', text: note + (await generateClientTypes(document.root)) },
    { name: 'server.d.ts', text: note + (await generateServerTypes(document.root)) },
    { name: 'digests.json', text: `${JSON.stringify(computeDigests(document.root), undefined, 2)}\n` },
  ]
}

function readOptionalFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
