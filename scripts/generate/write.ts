/**
 * Writes what follows from a document, or finds out whether it is up to date.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  CHECKED,
  checkDocument,
  computeDigests,
  formatChecked,
  openDocument,
  throwProblems,
  VALIDATORS,
} from '../../src/openapi/index.ts'
import { generateClientTypes } from './client.ts'
import { generateServerTypes } from './server.ts'
import { generateValidators } from './validators.ts'

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
  const document = await openDocument(file)
  const { problems, documented } = checkDocument(document.root)
  throwProblems(document, problems)
  const note = `// Written by scripts/generate.ts from ${file}; do not edit.\n`
  const validators = note + generateValidators(document.root)
  return [
    { name: 'openapi.d.ts', text: note + generateClientTypes(document.root) },
    { name: 'server.d.ts', text: note + generateServerTypes(document.root) },
    { name: 'digests.json', text: `${JSON.stringify(computeDigests(document.root), undefined, 2)}\n` },
    { name: VALIDATORS, text: validators },
    { name: CHECKED, text: formatChecked(document, documented, validators) },
  ]
}

function readOptionalFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
