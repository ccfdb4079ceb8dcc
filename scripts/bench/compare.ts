/** Measures this checkout beside another commit. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/command.ts'
import { linkPackages } from '../link-packages.ts'
import { type Amount, type Load, sendLoad, workloads } from './load.ts'
import { createFolder, readUsage, root, type Server, seed, startService } from './server.ts'
import { getMedian, getMiddleHalf, printLine, printMachine } from './table.ts'
import { measureInTurns } from './turns.ts'

/** Measures and prints each workload, and the start. */
export async function compare(ref: string, amount: Amount): Promise<void> {
  const { animals, rounds, seconds } = amount
  const commit = findCommit(ref)
  const folder = createFolder()
  printMachine()
  const sides = [
    { name: 'this', checkout: root },
    { name: ref, checkout: checkOut(commit, folder) },
  ].map(({ name, checkout }, index) => {
    const url = `sqlite:${join(folder, `${index}.db`)}`
    seed(checkout, url, animals)
    return { name, start: () => startService(checkout, url, folder) }
  })

  console.log(`this checkout beside ${ref} (${commit.slice(0, 9)}); a ratio above 1: this checkout is better`)
  console.log(
    `${animals} animals, medians of ${rounds} rounds of ${seconds} s, ratios with the middle half of the rounds\n`,
  )
  printLine('', '', ...sides.map(({ name }) => name.slice(0, 12)), 'ratio', 'middle half')

  const starts = await measureInTurns(sides, rounds, async ({ start }) => {
    const server = await start()
    await server.stop()
    return server.startMs
  })
  printRatios('start', 'ms', starts, 'less')

  const servers: Server[] = []
  for (const { start } of sides) servers.push(await start())
  for (const workload of workloads) {
    const loads = await measureInTurns(servers, rounds, (server) => sendLoad(server, workload, amount))
    const select = (name: keyof Load) => loads.map((round) => round.map((load) => load[name]))
    printRatios(workload, 'requests/s', select('requestsPerSecond'), 'more')
    printRatios('', 'CPU µs', select('cpuMicros'), 'less')
  }
  printRatios('memory', 'MiB after', [servers.map(({ pid }) => readUsage(pid).memoryMiB)], 'less')
}

/** Returns the hash of the commit that a ref names. Throws a UsageError if there is none. */
function findCommit(ref: string): string {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    throw new UsageError(`${JSON.stringify(ref)} is no commit here; name a branch, a tag or a hash`)
  }
}

/** Writes the files of a commit to a folder, with the packages that the commit locks; returns the path. */
function checkOut(commit: string, folder: string): string {
  const checkout = join(folder, 'checkout')
  mkdirSync(checkout)
  // Not `git worktree`: that would have to be undone, also by a bench that is killed.
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['--extract', '--directory', checkout], { input: archive })
  const [lockFile, ownLockFile] = [checkout, root].map((path) => readFileSync(join(path, 'package-lock.json'), 'utf8'))
  if (lockFile === ownLockFile) linkPackages(checkout)
  else execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: checkout, stdio: 'ignore' })
  return checkout
}

/** Prints the medians of this checkout and the other one, and the ratio in each round, which is above 1 if this one is better. */
function printRatios(
  title: string,
  unit: string,
  rounds: readonly (readonly number[])[],
  better: 'more' | 'less',
): void {
  const medians = [0, 1].map((index) => getMedian(rounds.map((round) => round[index] as number)).toFixed(1))
  const ratios = rounds.map(([current = 0, base = 0]) => (better === 'more' ? current / base : base / current))
  const spread = getMiddleHalf(ratios).map((ratio) => ratio.toFixed(2))
  // A single value has no spread.
  printLine(title, unit, ...medians, getMedian(ratios).toFixed(2), ratios.length > 1 ? spread.join(' to ') : '')
}
