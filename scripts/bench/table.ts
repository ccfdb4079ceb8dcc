/** Tables on the standard output, and the statistics in them. */
import { availableParallelism, cpus, loadavg } from 'node:os'

/** Prints what the figures depend on. A machine with other work has a load average above 0 before the measurement. */
export function printMachine(): void {
  const load = loadavg()[0]?.toFixed(1)
  console.log(`Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model.trim()}, load average ${load}`)
}

export function printLine(title: string, ...cells: readonly string[]): void {
  console.log(title.padEnd(10) + cells.map((cell) => cell.padStart(14)).join(''))
}

/** Returns the median; of an even number of values, the upper one of the two in the middle. */
export function getMedian(values: readonly number[]): number {
  return sort(values)[Math.floor(values.length / 2)] as number
}

/** Returns the lowest and the highest value of the middle half. Of three values, these are the lowest and the highest. */
export function getMiddleHalf(values: readonly number[]): [lowest: number, highest: number] {
  const last = values.length - 1
  const sorted = sort(values)
  return [sorted[Math.floor(last / 4)] as number, sorted[Math.ceil((last * 3) / 4)] as number]
}

function sort(values: readonly number[]): number[] {
  return values.toSorted((first, second) => first - second)
}
