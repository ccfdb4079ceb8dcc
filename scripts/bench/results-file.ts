/**
 * The files that the documentation shows: bench.json and the chart.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseName } from './catalogues.ts'
import { drawChart } from './chart.ts'
import type { Run, Runs } from './results.ts'

/** Writes a run into a folder, beside that on the other database. */
export function writeResults(folder: string, database: DatabaseName, run: Run): void {
  mkdirSync(join(folder, 'images'), { recursive: true })
  const file = join(folder, 'bench.json')
  const text = JSON.stringify({ ...readRuns(file), [database]: run }, round, 2)
  writeFileSync(file, `${text}\n`)
  // From what is in the file, so that the chart can be drawn again.
  writeFileSync(join(folder, 'images', 'bench.svg'), drawChart(JSON.parse(text)))
}

function readRuns(file: string): Runs {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Error(`${file} is not what an earlier run wrote; remove it`, { cause: error })
  }
}

/** Rounds to four digits: the others are noise. */
function round(_name: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
}
