/**
 * Runs versions of the service one after the other, each in a process of its own. The next one takes over when it listens;
 * until then, and if it cannot, the last one goes on. They share the listening socket, so no connection is refused.
 */
import cluster, { type Worker } from 'node:cluster'
import type { FromService, ToService } from './messages.ts'

export interface SupervisorOptions {
  /** The spec. */
  readonly file: string
  readonly onListening: (address: string) => void
  /** A version could not start, and the one before goes on. */
  readonly onFailure: (message: string, isSetup: boolean) => void
  /** The version that served has ended by itself. */
  readonly onCrash: (reason: string) => void
}

export interface Supervisor {
  /** Starts the next version; `hasNewCode` is false if only the spec or the configuration has changed. */
  update(hasNewCode: boolean): void
  /** Shows problems on the documentation page, as text. */
  show(problems: string): void
  /** Stops the service; resolves when all requests in progress are finished. */
  stop(): Promise<void>
}

/** A version that ends sooner than this after it began to serve is not started again until something changes. */
const STABLE_MS = 1000

export function createSupervisor({ file, onListening, onFailure, onCrash }: SupervisorOptions): Supervisor {
  cluster.setupPrimary({ exec: new URL('./service.ts', import.meta.url).pathname, args: [file], serialization: 'json' })
  // Each version accepts connections by itself.
  cluster.schedulingPolicy = cluster.SCHED_NONE

  let current: Worker | undefined
  let starting: Worker | undefined
  /** A process that has loaded the code, so that the next version starts at once if only the spec changes. */
  let spare: Worker | undefined
  /** True if something has changed since the version that is starting began to. */
  let isOutdated = false
  let listeningSince = 0
  let problems = ''
  let isStopping = false

  function fork(): Worker {
    const worker = cluster.fork({ VALIDATE_RESPONSES: 'true' })
    worker.on('message', (message: FromService) => {
      if (message.type === 'listening') takeOver(worker, message.address)
      else fail(worker, message)
    })
    worker.on('exit', (status, signal) => {
      if (worker === spare) spare = undefined
      if (worker === starting) fail(worker, { message: `the service ended with ${signal ?? status}`, isSetup: false })
      if (worker === current) restart(`the service ended with ${signal ?? status}`)
    })
    return worker
  }

  function takeOver(worker: Worker, address: string): void {
    if (worker !== starting || isStopping) return
    const previous = current
    current = worker
    starting = undefined
    listeningSince = performance.now()
    send(worker, { type: 'problems', text: problems })
    if (previous !== undefined) send(previous, { type: 'retire' })
    onListening(address)
    if (isOutdated) {
      start()
    } else {
      spare = fork()
      send(spare, { type: 'prepare' })
    }
  }

  function fail(worker: Worker, { message, isSetup }: { readonly message: string; readonly isSetup: boolean }): void {
    if (worker !== starting || isStopping) return
    starting = undefined
    if (isOutdated) start()
    else onFailure(message, isSetup && current === undefined)
  }

  function restart(reason: string): void {
    current = undefined
    if (isStopping) return
    onCrash(reason)
    if (performance.now() - listeningSince > STABLE_MS) update(false)
  }

  function update(hasNewCode: boolean): void {
    if (hasNewCode) {
      spare?.process.kill('SIGKILL')
      spare = undefined
    }
    // A version that starts is not interrupted, so that there is one at some time however often something changes.
    isOutdated = starting !== undefined
    if (!isOutdated) start()
  }

  function start(): void {
    isOutdated = false
    starting = spare ?? fork()
    spare = undefined
    send(starting, { type: 'start' })
  }

  return {
    update,
    show: (text) => {
      problems = text
      if (current !== undefined) send(current, { type: 'problems', text })
    },
    stop: async () => {
      isStopping = true
      for (const worker of [starting, spare]) worker?.process.kill('SIGKILL')
      const last = current
      if (last === undefined) return
      await new Promise<void>((resolve) => {
        last.on('exit', () => resolve())
        send(last, { type: 'stop' })
      })
    },
  }
}

/** Sends a message to a process that may be gone, which is noticed elsewhere. */
function send(worker: Worker, message: ToService): void {
  worker.send(message, () => {})
}
