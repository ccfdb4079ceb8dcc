/**
 * What the process of the service holds, told by itself.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { eventually, type ServiceProcess } from '../helpers/process.ts'

export interface Holdings {
  /** Bytes that are in use when all garbage has been collected. */
  readonly heap: number
  /** Bytes of the machine's memory. */
  readonly rss: number
  /** Connections that are open. */
  readonly connections: number
}

/** The environment of a process that can be asked. */
export const reporting: NodeJS.ProcessEnv = {
  NODE_OPTIONS: [
    process.env.NODE_OPTIONS,
    '--expose-gc',
    `--import=${pathToFileURL(join(import.meta.dirname, 'report.ts'))}`,
  ].join(' '),
}

/** Asks the process. */
export async function holdingsOf({ kill, logged }: ServiceProcess): Promise<Holdings> {
  const reports = () => logged().filter(({ msg }) => msg === 'report')
  const { length } = reports()
  kill('SIGUSR2')
  return eventually(() => reports()[length]) as Promise<unknown> as Promise<Holdings>
}
