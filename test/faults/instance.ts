/**
 * An instance of the service: a process of its own, on a store and in surroundings that are made to fail.
 */
import type { Test } from 'tap'
import {
  type NodeOptions,
  type Outcome,
  runServiceProcess,
  type ServiceProcess,
  startServiceProcess,
} from '../helpers/process.ts'

/** The API key that every instance accepts. */
export const apiKey = '0123456789abcdef'

export interface InstanceOptions extends NodeOptions {
  readonly databaseUrl: string
}

/** Starts an instance, and waits until it listens. */
export function startInstance(t: Test, options: InstanceOptions): Promise<ServiceProcess> {
  return startServiceProcess(t, toProcessOptions(options))
}

/** Runs an instance that ends by itself. */
export function runInstance(t: Test, options: InstanceOptions): Promise<Outcome> {
  return runServiceProcess(t, toProcessOptions(options))
}

function toProcessOptions({ databaseUrl, env, ...others }: InstanceOptions): NodeOptions {
  return { ...others, env: { API_KEYS: `tests=${apiKey}`, DATABASE_URL: databaseUrl, ...env } }
}
