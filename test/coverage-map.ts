/**
 * What coverage is measured of, and by which tests.
 */
import { globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * The files whose coverage has to be complete: all of src and scripts, except the loop of development, which runs in
 * processes of its own, on copies of the code in which nothing is measured, and the bench.
 */
const files = globSync('{src,scripts}/**/*.ts', { cwd: root }).filter((file) => !/^scripts\/(?:dev|bench)/.test(file))

/**
 * The tests that reach no line which others do not reach: they have the service in a process of its own, use it as the tiers
 * `unit` and `http` do, or check it by another program or library. They run without coverage, which would make them take half as
 * long again.
 */
const withoutCoverage =
  /^test\/(?:arazzo|dev|docs|faults|hostile)\/(?!.*\.(?:unit|http)\.test\.ts$)|^test\/(?:compiler|openapi\/standard)\.test\.ts$|^\.tap\/groups\/uncovered-/

/** Returns the files that a test may cover, for tap; null if coverage is not measured. Without a test, all files. */
export default function getCoveredFiles(test = ''): string[] | null {
  return withoutCoverage.test(test) ? null : files
}
