/**
 * The version of the spec that the present one is compared with: a file, or the spec at a git ref.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type OpenApiDocument, openDocument } from '../../src/openapi/index.ts'
import { formatError, UsageError } from '../lib/command.ts'

export interface Base {
  /** Its name for the operator: `v1.0.0`, or the name of a file. */
  readonly name: string
  readonly document: OpenApiDocument
}

/**
 * Loads the base that an argument names; without one, the spec at the last tag, else at origin/main, else at HEAD. Throws a
 * UsageError if there is none.
 */
export async function loadBase(spec: string, argument: string | undefined): Promise<Base> {
  if (argument !== undefined && existsSync(argument))
    return { name: argument, document: await load(argument, argument) }
  const refs = argument === undefined ? [git('describe', '--tags', '--abbrev=0'), 'origin/main', 'HEAD'] : [argument]
  for (const ref of refs) {
    const text = ref && git('show', '--end-of-options', `${ref.trim()}:./${spec}`)
    if (text) return { name: ref.trim(), document: await loadText(text, `${ref.trim()}:${spec}`) }
  }
  throw new UsageError(
    argument === undefined
      ? `no tag, origin/main or HEAD has ${spec}; name a file or a git ref to compare with`
      : `${argument} is neither a file nor a git ref that has ${spec}; name one of them`,
  )
}

/** Returns the output of git; undefined if it fails, or if there is no git. */
function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}

async function loadText(text: string, name: string): Promise<OpenApiDocument> {
  const folder = mkdtempSync(join(tmpdir(), 'spec-diff-'))
  try {
    const file = join(folder, 'base.yaml')
    writeFileSync(file, text)
    return await load(file, name)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function load(file: string, name: string): Promise<OpenApiDocument> {
  try {
    return await openDocument(file)
  } catch (error) {
    throw new UsageError(formatError(error).replaceAll(relative(process.cwd(), file), name))
  }
}
