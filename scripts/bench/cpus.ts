/**
 * The CPUs of the machine: the servers have one, and the client the others, so that they do not take each other's time.
 */
import { existsSync, readFileSync } from 'node:fs'

export interface CpuShares {
  /** As `taskset --cpu-list` takes them; undefined if nothing is assigned. */
  readonly server: string | undefined
  readonly client: string | undefined
}

const taskset = '/usr/bin/taskset'

/** Divides the CPUs that this process may use. Does not divide a single one, nor without Linux and `taskset`. */
export function divideCpus(program = taskset, statusFile = '/proc/self/status'): CpuShares {
  const [server, ...client] = existsSync(program) && existsSync(statusFile) ? parseCpus(statusFile) : []
  return client.length === 0
    ? { server: undefined, client: undefined }
    : { server: String(server), client: client.join() }
}

/** The command that runs another one on some CPUs only. */
export function withCpus(cpus: string | undefined, command: readonly string[]): readonly string[] {
  return cpus === undefined ? command : [taskset, '--cpu-list', cpus, ...command]
}

/** Parses a list such as `0-3,8`. */
function parseCpus(statusFile: string): number[] {
  const list = /^Cpus_allowed_list:\s*(.+)$/m.exec(readFileSync(statusFile, 'utf8'))?.[1] ?? '0'
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}
