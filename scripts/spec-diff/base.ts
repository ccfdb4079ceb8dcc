/**
 * The version of the spec that the present one is compared with: a file, or the spec at a git ref.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { toObject } from '../../src/openapi/index.ts'
import { formatError, UsageError } from '../lib/command.ts'
import { parseVersion } from './version.ts'

export interface Base {
  /** Its name for the operator: `v1.0.0`, or the name of a file. */
  readonly name: string
  readonly text: string
  readonly root: unknown
  /** The numbers of its version, as `1.2.3`. */
  readonly version: string
}

/**
 * Reads the base that an argument names; without one, the spec at the last tag, else at origin/main, else at HEAD. Throws a
 * UsageError if there is none.
 */
export function readBase(spec: string, argument: string | undefined): Base {
  if (argument !== undefined && existsSync(argument)) return toBase(argument, readFileSync(argument, 'utf8'))
  const refs = argument === undefined ? [git('describe', '--tags', '--abbrev=0'), 'origin/main', 'HEAD'] : [argument]
  for (const ref of refs) {
    const text = ref && git('show', '--end-of-options', `${ref.trim()}:./${spec}`)
    if (text) return toBase(ref.trim(), text)
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

function toBase(name: string, text: string): Base {
  const root = toObject(parseYaml(name, text))
  const version = parseVersion(toObject(root.info).version)
  if (version === undefined || !/^3\.[0-2]\./.test(String(root.openapi))) {
    throw new UsageError(
      `${name} is not OpenAPI 3.0 to 3.2 with an info.version such as 1.2.3; compare with another base`,
    )
  }
  return { name, text, root, version }
}

function parseYaml(name: string, text: string): unknown {
  try {
    return parse(text, { logLevel: 'error' })
  } catch (error) {
    const [problem] = formatError(error).split('\n')
    throw new UsageError(`${name} is not YAML: ${problem}`)
  }
}
