/**
 * Reads the CPU time and the memory of a process on Linux (proc(5)).
 */
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessUsage {
  /** The time that all its threads have spent on a CPU. */
  readonly cpuSeconds: number
  /** The memory that it has now, in MiB (resident set size). */
  readonly memoryMiB: number
}

/** Reads the usage of a process; returns undefined where there is no `/proc`, or no such process. */
export function readUsage(pid: number): ProcessUsage | undefined {
  const folder = `/proc/${pid}`
  try {
    // In nanoseconds, where /proc/PID/stat counts hundredths of a second.
    const times = readdirSync(`${folder}/task`).map((thread) =>
      Number(readFileSync(`${folder}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
    )
    const kiB = Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`${folder}/status`, 'utf8'))?.[1])
    return { cpuSeconds: times.reduce((sum, time) => sum + time, 0) / 1e9, memoryMiB: kiB / 1024 }
  } catch {
    return undefined
  }
}
