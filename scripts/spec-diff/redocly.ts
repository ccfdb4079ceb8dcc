/**
 * Runs `redocly diff`, which finds the changes from one OpenAPI document to another, and those that break clients by the
 * rules of OpenAPI and JSON Schema.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Change } from './ratings.ts'

const cli = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
const config = JSON.stringify({ extends: ['diff-recommended'], telemetry: 'off' })
/** Options that Node has for this process, such as those of a debugger, are not for the other one. */
const env = { ...process.env, NODE_OPTIONS: '', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** Compares two documents, as texts in YAML. */
export function runRedocly(base: string, revision: string): readonly Change[] {
  const folder = mkdtempSync(join(tmpdir(), 'spec-diff-'))
  try {
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const files = [write('base.yaml', hideLists(base)), write('revision.yaml', hideLists(revision))]
    const options = ['--config', write('redocly.yaml', config), '--format', 'json', '--fail-on', 'none']
    const stdout = execFileSync(process.execPath, [cli, 'diff', ...files, ...options], {
      env,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: 'pipe',
    })
    const report: { readonly changes: Change[] } = JSON.parse(
      stdout.replaceAll('"extensible-enum"', '"x-extensible-enum"'),
    )
    return report.changes
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Renames the extension whose value is a list, so that redocly compares it: it ignores lists in extensions. Places remain. */
function hideLists(text: string): string {
  return text.replaceAll(/x-(extensible-enum["']?:)/g, '$1  ')
}
