/**
 * Runs `redocly diff`, which finds the differences between two OpenAPI documents, and by the rules of OpenAPI and JSON
 * Schema those that break clients. It ignores values of extensions and examples that are not scalars, so they become text.
 */

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { getEntries, METHODS, type OpenApi, stringifyExactly } from '../../src/openapi/index.ts'
import type { SpecOperation } from './uses.ts'

/** A value in one of the documents. */
export interface Side {
  /** The pointer to it; if the document lacks the value, the pointer to the object that lacks it. */
  readonly pointer: string
  readonly value?: unknown
}

/** A change as `redocly diff --format json` reports it, as far as it is used. */
export type RedoclyChange = {
  /** The name of an OpenAPI object without "Object": `Schema`, `RequestBody`. */
  readonly typeName: string
  /** Why the change breaks clients; empty if it does not. */
  readonly verdicts: readonly { readonly ruleId: string; readonly message: string }[]
} & (Added | Removed | Modified)

interface Added {
  readonly kind: 'added'
  readonly revision: Side
}

interface Removed {
  readonly kind: 'removed'
  readonly base: Side
}

/** Another value of a member of an object. */
export interface Modified {
  readonly kind: 'modified'
  readonly typeName: string
  /** The name of the member, or `key` if the object is in a map under another name. */
  readonly property: string
  readonly base: Side
  readonly revision: Side
}

const cli = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
const config = JSON.stringify({ extends: ['diff-recommended'], telemetry: 'off' })
/** Options that Node has for this process, such as those of a debugger, are not for the other one. */
const env = { ...process.env, NODE_OPTIONS: '', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** A document, and the operations that it shares with another one. */
export interface Shared {
  readonly root: OpenApi
  readonly operations: readonly SpecOperation[]
}

/** Compares two documents: the operations that they share, and everything else but servers and security requirements. */
export async function runRedocly(base: Shared, revision: Shared): Promise<RedoclyChange[]> {
  const [before, after] = [prepare(base), prepare(revision)]
  if (before === after) return []
  const folder = mkdtempSync(join(tmpdir(), 'spec-diff-'))
  try {
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const files = [write('base.json', before), write('revision.json', after)]
    const options = ['--config', write('redocly.yaml', config), '--format', 'json', '--fail-on', 'none']
    const { stdout } = await promisify(execFile)(process.execPath, [cli, 'diff', ...files, ...options], {
      env,
      maxBuffer: 2 ** 28,
    })
    // The pointers in the report are URI fragments.
    const { changes }: { readonly changes: RedoclyChange[] } = JSON.parse(stdout, (key, value) =>
      key === 'pointer' ? String(value).slice(1) : value,
    )
    return changes
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns a document as JSON, in which the pointers to what is left are the same. */
function prepare({ root, operations }: Shared): string {
  const { servers: _servers, security: _security, paths, ...rest } = root
  const shared = Object.fromEntries(
    getEntries(paths).flatMap(([path, item]) => {
      const own = operations.filter((operation) => operation.path === path)
      if (own.length === 0) return []
      const others = getEntries(item).filter(([key]) => !METHODS.some((method) => method === key))
      const methods = own.map(({ method, values: { security: _own, ...values } }) => [method, values])
      return [[path, Object.fromEntries([...others, ...methods])]]
    }),
  )
  return stringifyExactly(replaceOpaque({ ...rest, paths: shared }))
}

/** The members whose values are compared as a whole. */
const OPAQUE = ['const', 'default', 'example', 'examples', 'x-extensible-enum']
/** The members whose values are objects with names for keys. */
const MAPS = ['content', 'headers', 'parameters', 'paths', 'properties', 'requestBodies', 'responses', 'schemas']

/** Copies a value; members of objects that are compared as a whole become text, unless redocly reads them exactly. */
function replaceOpaque(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceOpaque(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (isMap || !OPAQUE.includes(key)) return [key, replaceOpaque(inner, !isMap && MAPS.includes(key))]
      return [key, ['object', 'bigint'].includes(typeof inner) ? stringifyExactly(inner) : inner]
    }),
  )
}
