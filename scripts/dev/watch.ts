/**
 * Watches files through every way of saving: in place, written and renamed, replaced with their folder, many at a time.
 * An event of the system only causes a comparison of the contents of all files with those before.
 */
import { hash } from 'node:crypto'
import { type FSWatcher, readdirSync, readFileSync, watch } from 'node:fs'
import { dirname, join } from 'node:path'

export interface WatchOptions {
  /** The folders whose TypeScript files are watched, at any depth. */
  readonly folders: readonly string[]
  /** Single files, which need not exist. */
  readonly files: readonly string[]
  /** Called with the paths of the files that have changed, appeared or gone, and when that began (`performance.now`). */
  readonly onChange: (changed: readonly string[], since: number) => void
}

export interface Watcher {
  close(): void
}

/** A change is complete when nothing has happened for so long, in milliseconds. */
const QUIET_MS = 40
/** The files are compared so long after the first event, even if there is no quiet, in milliseconds. */
const MAX_WAIT_MS = 500

export function watchFiles({ folders, files, onChange }: WatchOptions): Watcher {
  let watchers = watchAll()
  let known = readAll()
  let timer: NodeJS.Timeout | undefined
  let firstEvent: number | undefined

  function note(): void {
    firstEvent ??= performance.now()
    clearTimeout(timer)
    timer = setTimeout(compare, Math.max(0, Math.min(QUIET_MS, firstEvent + MAX_WAIT_MS - performance.now())))
  }

  function compare(): void {
    const since = firstEvent ?? performance.now()
    firstEvent = undefined
    // A folder may have been replaced by another one of its name, so all are watched anew before the files are read.
    const outdated = watchers
    watchers = watchAll()
    for (const watcher of outdated) watcher.close()
    const found = readAll()
    const changed = [...new Set([...known.keys(), ...found.keys()])].filter(
      (file) => known.get(file) !== found.get(file),
    )
    known = found
    if (changed.length > 0) onChange(changed, since)
  }

  function watchAll(): FSWatcher[] {
    const all = new Set([...files.map((file) => dirname(file)), ...folders.flatMap(findFolders)])
    return [...all].flatMap((folder) => {
      try {
        // The error of a folder that goes away; its parent reports that, too.
        return [watch(folder, note).on('error', note)]
      } catch {
        return []
      }
    })
  }

  function readAll(): Map<string, string> {
    const names = [...files, ...folders.flatMap(findSources)]
    return new Map(
      names.flatMap((name) => {
        const content = readDigest(name)
        return content === undefined ? [] : [[name, content]]
      }),
    )
  }

  return {
    close: () => {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}

/** The folder and all folders in it. */
function findFolders(folder: string): string[] {
  const inner = list(folder).filter((entry) => entry.isDirectory())
  return [folder, ...inner.flatMap(({ name }) => findFolders(join(folder, name)))]
}

function findSources(folder: string): string[] {
  return list(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return findSources(path)
    return entry.name.endsWith('.ts') ? [path] : []
  })
}

/** The entries of a folder; none if it is gone. */
function list(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function readDigest(file: string): string | undefined {
  try {
    return hash('sha1', readFileSync(file))
  } catch {
    return undefined
  }
}
