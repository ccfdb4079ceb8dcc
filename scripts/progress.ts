/**
 * How far a long piece of work has come: a bar on a terminal, and a line at each tenth elsewhere.
 */
import type { WriteStream } from 'node:tty'

export interface Progress {
  /** Says how much is done. */
  reach(done: number): void
  /** Says that this is all, whatever was expected; where nothing was done, nothing is shown. */
  end(): void
}

/** Where it is shown: what a WriteStream has, and more when it is a terminal. */
export type Output = Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY'>>

/** How often a bar is drawn at most, in milliseconds. */
const period = 100

const cells = 24

/** The progress of work of `total` parts, under a name; `before` of them have been done already. Counts the time from now. */
export function createProgress(name: string, total: number, before = 0, output: Output = process.stderr): Progress {
  const start = performance.now()
  let drawn = Number.NEGATIVE_INFINITY
  let reached = before
  let tenth = tenthOf(before)

  function text(): string {
    const seconds = Math.max((performance.now() - start) / 1000, 0.001)
    const rate = (reached - before) / seconds
    const time = reached < total ? `${durationOf((total - reached) / rate)} left` : `in ${durationOf(seconds)}`
    return `${format(reached)} of ${format(total)}, ${format(rate, rate < 10 ? 1 : 0)}/s, ${time}`
  }

  function tenthOf(done: number): number {
    return Math.floor(shareOf(done, total) * 10)
  }

  return {
    reach: (done) => {
      reached = done
      if (output.isTTY) {
        const now = performance.now()
        if (now - drawn < period) return
        drawn = now
        output.write(`\r\x1b[K${name} ${barOf(shareOf(done, total))} ${text()}`)
      } else if (tenthOf(done) > tenth && done < total) {
        tenth = tenthOf(done)
        output.write(`${name}: ${text()}\n`)
      }
    },
    end: () => {
      if (reached > before) output.write(`${output.isTTY ? '\r\x1b[K' : ''}${name}: ${text()}\n`)
    },
  }
}

function shareOf(done: number, total: number): number {
  return Math.min(done / Math.max(total, 1), 1)
}

function barOf(share: number): string {
  const full = Math.round(share * cells)
  return `[${'#'.repeat(full)}${'-'.repeat(cells - full)}] ${Math.floor(share * 100)} %`
}

function format(count: number, maximumFractionDigits = 0): string {
  return count.toLocaleString('en', { maximumFractionDigits })
}

function durationOf(seconds: number): string {
  return seconds < 100 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}
