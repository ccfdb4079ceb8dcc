/**
 * The constant responses of the floors: those of the service, as the bench received them. The bench passes them on in the
 * environment.
 */
import type { ResponseName } from '../workloads.ts'

export interface ConstantResponse {
  readonly status: number
  readonly body: string
}

/** The name of the variable. */
export const variable = 'BENCH_RESPONSES'

/** Reads them, and prepares each once. */
export function readResponses<Prepared>(
  prepare: (response: ConstantResponse) => Prepared,
): Readonly<Record<ResponseName, Prepared>> {
  const responses: Record<ResponseName, ConstantResponse> = JSON.parse(String(process.env[variable]))
  const prepared = Object.entries(responses).map(([name, response]) => [name, prepare(response)])
  return Object.fromEntries(prepared)
}

export const contentType = 'application/json; charset=utf-8'

/** Listens on the port that the environment names, until a signal ends the process. */
export async function run(listen: (port: number) => unknown): Promise<void> {
  // The process ends by itself, so that it writes what a test measures of it.
  process.once('SIGTERM', () => process.exit())
  await listen(Number(process.env.PORT))
}
