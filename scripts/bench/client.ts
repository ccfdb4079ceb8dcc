/**
 * The client, as a process of its own: it receives jobs from the bench, and sends back what it measured.
 */
import { type Load, type LoadOptions, load } from './load.ts'
import { type RequestContext, type WorkloadName, workloads } from './workloads.ts'

/** A load of one server with one workload. */
export interface Job extends Omit<LoadOptions, 'statuses' | 'next'> {
  readonly workload: WorkloadName
  readonly context: RequestContext
}

export type JobResult = Load | { readonly error: string }

process.on('message', async ({ workload, context, ...options }: Job) => {
  const { statuses, createRequests }: (typeof workloads)[WorkloadName] = workloads[workload]
  const result = await load({ ...options, statuses, next: createRequests(context) }).catch(({ message }: Error) => {
    return { error: message }
  })
  process.send?.(result satisfies JobResult)
})
