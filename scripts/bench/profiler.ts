/**
 * CPU profiles of a process, through its inspector (https://chromedevtools.github.io/devtools-protocol/v8/Profiler/).
 */
import { once } from 'node:events'

export interface Profiler {
  start(): Promise<void>
  stop(): Promise<CpuProfile>
  close(): void
}

/** A part of what the inspector sends. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples: readonly number[]
  /** In microseconds. */
  readonly timeDeltas: readonly number[]
}

interface Reply {
  readonly id: number
  readonly result: { readonly profile: CpuProfile }
}

/** Connects to the inspector at the last address that Node printed on the standard error: the entry starts Node again. */
export async function connectProfiler(errors: string): Promise<Profiler> {
  const url = errors.match(/ws:\/\/\S+/g)?.at(-1)
  if (url === undefined) throw new Error(`the service has no inspector: ${errors}`)
  const socket = new WebSocket(url)
  await once(socket, 'open')
  let id = 0

  /** Sends one command at a time. */
  async function send(method: string, params = {}): Promise<Reply> {
    socket.send(JSON.stringify({ id: ++id, method, params }))
    const [event] = (await once(socket, 'message')) as [MessageEvent]
    return JSON.parse(event.data)
  }

  await send('Profiler.enable')
  await send('Profiler.setSamplingInterval', { interval: 200 })
  return {
    start: async () => void (await send('Profiler.start')),
    stop: async () => (await send('Profiler.stop')).result.profile,
    close: () => socket.close(),
  }
}

/** The functions that take the most time by themselves, one per line, in microseconds per request. */
export function formatHotFunctions(profile: CpuProfile, requests: number, count = 15): string {
  const times = new Map<number, number>()
  for (const [index, id] of profile.samples.entries()) {
    times.set(id, (times.get(id) ?? 0) + (profile.timeDeltas[index] as number))
  }
  const functions = new Map<string, number>()
  for (const { id, callFrame } of profile.nodes) {
    const { functionName, url, lineNumber } = callFrame
    const file = url.split('/').slice(-2).join('/')
    const name = `${functionName || '(anonymous)'}${file && ` ${file}:${lineNumber + 1}`}`
    functions.set(name, (functions.get(name) ?? 0) + (times.get(id) ?? 0))
  }
  return [...functions]
    .filter(([name]) => name !== '(idle)')
    .sort(([, one], [, other]) => other - one)
    .slice(0, count)
    .map(([name, time]) => `${(time / requests).toFixed(2).padStart(8)} µs  ${name}`)
    .join('\n')
}
