/**
 * What the process of the service holds, reported by itself.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ServiceProcess } from '../helpers/process.ts'
import { waitUntil } from '../helpers/wait.ts'

export interface Holdings {
  /** Bytes that are in use when all garbage has been collected. */
  readonly heap: number
  /** Bytes of the machine's memory. */
  readonly rss: number
  /** Connections that are open. */
  readonly connections: number
}

/** The arguments for Node that make a process report on request. */
export const reporting = ['--expose-gc', `--import=${pathToFileURL(join(import.meta.dirname, 'report.ts'))}`]

/** Asks the process for a report. */
export async function holdingsOf({ kill, logged }: ServiceProcess): Promise<Holdings> {
  const reports = () => logged().filter(({ msg }) => msg === 'report')
  const { length } = reports()
  kill('SIGUSR2')
  return waitUntil(() => reports()[length]) as Promise<unknown> as Promise<Holdings>
}
