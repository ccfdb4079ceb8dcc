/**
 * Shows the progress of long work: a bar on a terminal, and a line at each tenth elsewhere.
 */
import type { WriteStream } from 'node:tty'

export interface Progress {
  /** Reports how much is done. */
  update(done: number): void
  /** Ends the display; shows nothing if nothing was done. */
  end(): void
}

/** The stream to write to: a WriteStream, which may be a terminal. */
export type Output = Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY'>>

/** The shortest time between two drawings of a bar, in milliseconds. */
const period = 100

const cells = 24

/** Makes the display for work of `total` parts, `before` of which are done already. The time counts from now. */
export function createProgress(name: string, total: number, before = 0, output: Output = process.stderr): Progress {
  const start = performance.now()
  let drawn = Number.NEGATIVE_INFINITY
  let reached = before
  let tenth = toTenth(before)

  function text(): string {
    const seconds = Math.max((performance.now() - start) / 1000, 0.001)
    const rate = (reached - before) / seconds
    const time = reached < total ? `${formatDuration((total - reached) / rate)} left` : `in ${formatDuration(seconds)}`
    return `${format(reached)} of ${format(total)}, ${format(rate, rate < 10 ? 1 : 0)}/s, ${time}`
  }

  function toTenth(done: number): number {
    return Math.floor(toShare(done, total) * 10)
  }

  return {
    update: (done) => {
      reached = done
      if (output.isTTY) {
        const now = performance.now()
        if (now - drawn < period) return
        drawn = now
        output.write(`\r\x1b[K${name} ${formatBar(toShare(done, total))} ${text()}`)
      } else if (toTenth(done) > tenth && done < total) {
        tenth = toTenth(done)
        output.write(`${name}: ${text()}\n`)
      }
    },
    end: () => {
      if (reached > before) output.write(`${output.isTTY ? '\r\x1b[K' : ''}${name}: ${text()}\n`)
    },
  }
}

function toShare(done: number, total: number): number {
  return Math.min(done / Math.max(total, 1), 1)
}

function formatBar(share: number): string {
  const full = Math.round(share * cells)
  return `[${'#'.repeat(full)}${'-'.repeat(cells - full)}] ${Math.floor(share * 100)} %`
}

function format(count: number, maximumFractionDigits = 0): string {
  return count.toLocaleString('en', { maximumFractionDigits })
}

function formatDuration(seconds: number): string {
  return seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}
