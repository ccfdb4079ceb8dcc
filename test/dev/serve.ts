/**
 * A document as `npm run dev` serves it, in this process.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { build } from '../../scripts/dev/serve.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

/** Builds the service for the text of a document; rejects as `build`. */
export async function serve(t: Test, source: string | Uint8Array) {
  const file = join(temporaryFolder(t), 'api.yaml')
  writeFileSync(file, source)
  const lines: string[] = []
  const environment = { API_KEYS: 'tests=0123456789abcdef', DATABASE_URL: 'sqlite::memory:' }
  const { app } = await build(file, environment, { write: (line) => void lines.push(line) })
  t.teardown(() => app.close())
  return {
    lines,
    get: async (url: string, headers: Readonly<Record<string, string>> = {}) => {
      const response = await app.inject({ url, headers })
      return { status: response.statusCode, headers: response.headers, body: response.json() }
    },
  }
}
