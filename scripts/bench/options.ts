/**
 * The arguments of the bench.
 */
import { readArguments, UsageError } from '../lib/command.ts'
import type { DatabaseName } from './catalogues.ts'
import { type WorkloadName, workloadNames, workloads } from './workloads.ts'

export interface Options {
  readonly database: DatabaseName
  /** True to write CPU profiles instead of comparing the service with its floors. */
  readonly profile: boolean
  readonly check: boolean
  readonly names: readonly WorkloadName[]
  readonly animals: number
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  /** The folder for the results; undefined to write none. */
  readonly output: string | undefined
}

const help = `usage: npm run bench -- [OPTION]...

Compares the service with its floors: bare node:http that sends constants, node:http with the same statements, and bare
Fastify. Writes docs/bench.json and docs/images/bench.svg.

Options:
  --postgres            on PostgreSQL: TEST_DATABASE_URL, or else a server of its own
  --quick               less than 60 seconds, less exact; writes no results
  --check               exit status 1 if a limit in scripts/bench/limits.json is missed by more than the noise
  --profile             writes a CPU profile of the service per workload into data/profiles, and no results
  --only NAME,NAME      some workloads only, of those:
                        ${workloadNames.join(', ')}
  --animals COUNT       100000 by default
  --rounds COUNT        5 by default; 3 with --quick
  --seconds SECONDS     for each server, workload and round: 2 by default; 0.2 with --quick
  --connections COUNT   64 by default
  --output FOLDER       writes the results, or the profiles, into this folder
  -h, --help            prints this

Example:
  npm run bench -- --quick --only fetch,add

Exit status: 0 done, 1 not possible or a limit is missed, 2 wrong usage.`

export function parseOptions(args: readonly string[]): Options {
  const { values } = readArguments(args, { command: 'npm run bench', help, names: [], options })
  const { quick = false, profile = false } = values
  const isPartial = quick || values.only !== undefined
  const output = profile ? 'data/profiles' : isPartial ? undefined : 'docs'
  return {
    database: values.postgres ? 'postgres' : 'sqlite',
    profile,
    check: values.check ?? false,
    names: values.only?.split(',').map(toWorkload) ?? workloadNames,
    animals: toNumber('--animals', values.animals ?? '100000', /^[1-9][0-9]{0,8}$/),
    rounds: toNumber('--rounds', values.rounds ?? (quick ? '3' : '5'), /^[1-9][0-9]{0,3}$/),
    seconds: toNumber('--seconds', values.seconds ?? (quick ? '0.2' : '2'), /^(?!0*(\.0*)?$)[0-9]{1,4}(\.[0-9]+)?$/),
    connections: toNumber('--connections', values.connections ?? '64', /^[1-9][0-9]{0,3}$/),
    output: values.output ?? output,
  }
}

const flag = { type: 'boolean' } as const
const text = { type: 'string' } as const
const options = {
  ...{ postgres: flag, quick: flag, check: flag, profile: flag },
  ...{ only: text, animals: text, rounds: text, seconds: text, connections: text, output: text },
}

function toWorkload(name: string): WorkloadName {
  const found = workloadNames.find((one) => one === name)
  if (found !== undefined) return found
  throw new UsageError(`${JSON.stringify(name)} is not a workload; use some of ${Object.keys(workloads).join(', ')}`)
}

function toNumber(name: string, value: string, pattern: RegExp): number {
  if (pattern.test(value)) return Number(value)
  throw new UsageError(`${name} ${JSON.stringify(value)} is not a number above 0 that makes sense here`)
}
