/**
 * Loads a server: connections that send the next request as soon as a response is complete, on raw sockets, because every
 * microsecond of the client takes away from what it can measure.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../lib/measure.ts'
import { readUsage } from './process-usage.ts'
import { createResponseReader } from './response-reader.ts'

export interface LoadOptions {
  readonly port: number
  /** The process of the server, whose CPU time is measured. */
  readonly pid: number
  readonly connections: number
  readonly warmUpMs: number
  readonly durationMs: number
  /** The statuses that the responses may have. */
  readonly statuses: readonly number[]
  /** Returns the next request. */
  readonly next: () => string
}

/** The measurements after the warm-up. */
export interface Load {
  readonly requests: number
  readonly seconds: number
  /** The CPU time of the server; undefined where it cannot be read. */
  readonly cpuSeconds: number | undefined
  /** Of the time from a request to its complete response, in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** The part of the time in which the client was not idle, from 0 to 1. */
  readonly clientBusy: number
}

export async function load(options: LoadOptions): Promise<Load> {
  const { port, pid, connections, warmUpMs, durationMs, statuses, next } = options
  let latencies: number[] = []
  let isOver = false
  const failed = new AbortController()

  const running = Array.from({ length: connections }, async () => {
    let sentAt = 0
    const socket = await open(port, (status) => {
      latencies.push(performance.now() - sentAt)
      if (!statuses.includes(status)) throw new Error(`the server responded with ${status} instead of ${statuses}`)
      if (isOver) socket.end()
      else send()
    })
    function send(): void {
      sentAt = performance.now()
      socket.write(next(), 'latin1')
    }
    send()
    await once(socket, 'close')
    if (!isOver) throw new Error('the server closed a connection')
  })
  const ended = Promise.all(running).catch((error: Error) => {
    isOver = true
    failed.abort(error)
    throw error
  })

  async function measure(): Promise<Load> {
    await sleep(warmUpMs, undefined, failed)
    latencies = []
    const [start, usage, loop] = [performance.now(), readUsage(pid), performance.eventLoopUtilization()]
    // At least one response, however short the time is.
    do await sleep(durationMs, undefined, failed)
    while (latencies.length === 0)
    const [end, usageAfter] = [performance.now(), readUsage(pid)]
    const clientBusy = performance.eventLoopUtilization(loop).utilization
    const measured = latencies
    latencies = []
    isOver = true
    return {
      requests: measured.length,
      seconds: (end - start) / 1000,
      cpuSeconds: usage && usageAfter && usageAfter.cpuSeconds - usage.cpuSeconds,
      p50: percentile(measured, 0.5),
      p99: percentile(measured, 0.99),
      clientBusy,
    }
  }

  const measured = measure()
  // The error of a connection says more than that of the timer which it aborts.
  measured.catch(() => {})
  await ended
  return measured
}

/** Sends one request; returns the response as text. */
export async function exchange(port: number, request: string): Promise<string> {
  let text = ''
  const socket = await open(
    port,
    () => socket.end(),
    (bytes) => {
      text += bytes.toString('latin1')
    },
  )
  socket.write(request, 'latin1')
  await once(socket, 'close')
  return Buffer.from(text, 'latin1').toString()
}

/** Opens a connection. An error of a callback closes it with that error. */
async function open(
  port: number,
  onResponse: (status: number) => void,
  onBytes: (bytes: Buffer) => void = () => {},
): Promise<Socket> {
  const read = createResponseReader()
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      // One for all responses: no memory is allocated for each.
      buffer: Buffer.allocUnsafe(65_536),
      callback: (length, buffer) => {
        try {
          const bytes = (buffer as Buffer).subarray(0, length)
          onBytes(bytes)
          const status = read(bytes)
          if (status !== undefined) onResponse(status)
        } catch (error) {
          socket.destroy(error as Error)
        }
        return true
      },
    },
  })
  await once(socket, 'connect')
  return socket
}
