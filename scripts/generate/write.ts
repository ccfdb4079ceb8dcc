/**
 * Writes what follows from a document, or finds out whether it is up to date.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { computeDigests, loadDocument } from '../../src/openapi/index.ts'
import { generateClientTypes } from './client.ts'
import { generateServerTypes } from './server.ts'

/** Returns the files in the folder that were not up to date with the document; `isCheck` leaves them as they are. */
export async function writeGenerated(file: string, folder: string, isCheck: boolean): Promise<string[]> {
  const stale: string[] = []
  for (const { name, text } of await generate(file)) {
    const target = join(folder, name)
    if (text === readOptionalFile(target)) continue
    stale.push(target)
    if (isCheck) continue
    mkdirSync(folder, { recursive: true })
    writeFileSync(target, text)
  }
  return stale
}

/** Returns the files that follow from a document. */
async function generate(file: string): Promise<{ name: string; text: string }[]> {
  const { root } = await loadDocument(file)
  const note = `// Written by scripts/generate.ts from ${file}; do not edit.\n`
  return [
    { name: 'openapi.d.ts', text: note + generateClientTypes(root) },
    { name: 'server.d.ts', text: note + generateServerTypes(root) },
    { name: 'digests.json', text: `${JSON.stringify(computeDigests(root), undefined, 2)}\n` },
  ]
}

function readOptionalFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
