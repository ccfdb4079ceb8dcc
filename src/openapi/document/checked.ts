/**
 * Documents that have been checked: `npm run generate` writes down the values of the spec that it has found to be supported
 * and consistent, so that a start with the same file neither parses nor checks it again.
 */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { parseExactly } from '../request/json.ts'
import type { OpenApiDocument } from './document.ts'

type Checked = Required<Pick<OpenApiDocument, 'root' | 'documented'>>

/** Returns the text that `readChecked` reads. */
export function formatChecked({ source, root }: OpenApiDocument, documented: readonly string[]): string {
  const keepInteger = (_key: string, value: unknown) =>
    typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value
  return `${JSON.stringify({ sha256: digest(source), documented, root }, keepInteger, 2)}\n`
}

/** Returns what was written for a file of these bytes; undefined if there is nothing, or the file has changed since. */
export function readChecked(file: URL, source: Uint8Array): Checked | undefined {
  try {
    const { sha256, documented, root } = parseExactly(readFileSync(file, 'utf8')) as Checked & {
      readonly sha256: string
    }
    return sha256 === digest(source) ? { documented, root } : undefined
  } catch {
    return undefined
  }
}

function digest(source: Uint8Array): string {
  return hash('sha256', source, 'base64url')
}
