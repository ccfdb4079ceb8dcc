/** The folder of the files that clients upload, each until the request ends. */
import { randomUUID } from 'node:crypto'
import { openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HttpError } from '../shared/errors.ts'
import type { Part } from './form-parts.ts'
import type { PartHeader } from './multipart.ts'

export type UploadFolder = ReturnType<typeof createUploadFolder>

/**
 * Creates the access to a folder; by default, it is the one of the system for temporary files. `logFailure` gets the error for a file
 * that cannot be removed: no request fails because of it, and `close` tries again.
 */
export function createUploadFolder(folder = tmpdir(), logFailure: (error: unknown) => void) {
  const paths = new Set<string>()

  function removeSync(): void {
    for (const path of paths) {
      try {
        rmSync(path, { force: true })
      } catch (error) {
        logFailure(error)
      }
    }
  }

  async function remove(path: string): Promise<void> {
    try {
      await rm(path, { force: true })
      paths.delete(path)
    } catch (error) {
      logFailure(error)
    }
  }

  /**
   * Creates an empty file that nobody else can read, with a name that nobody can guess. Rejects with a 503 if the disk fails, and so
   * do `write` and `close`.
   */
  async function createFile({ fileName = '', contentType: type }: PartHeader): Promise<Part> {
    // A process may exit without closing the app.
    if (!process.listeners('exit').includes(removeSync)) process.on('exit', removeSync)
    const path = join(folder, `upload-${randomUUID()}`)
    paths.add(path)
    const handle = await withUnavailable(open(path, 'wx', 0o600)).catch((error) => {
      paths.delete(path)
      throw error
    })
    return {
      write: (bytes) => withUnavailable(handle.appendFile(bytes)),
      async close() {
        await withUnavailable(handle.close())
        return new File([await withUnavailable(openAsBlob(path))], fileName, { type })
      },
      async remove() {
        await handle.close().catch(logFailure)
        await remove(path)
      },
    }
  }

  /** True if files can be created. Creates one, because the rights of a folder such as `/proc` do not say it. */
  function isWritable(): boolean {
    const path = join(folder, `upload-${randomUUID()}`)
    try {
      writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
      rmSync(path)
      return true
    } catch {
      return false
    }
  }

  return {
    folder,
    isWritable,
    createFile,
    /** Removes the files of requests that have not ended. No file may be created afterwards. */
    async close(): Promise<void> {
      await Promise.all([...paths].map(remove))
      process.off('exit', removeSync)
    },
  }
}

/** Rejects with a 503 if an action fails: the cause has paths, and is for the log. */
async function withUnavailable<Value>(action: Promise<Value>): Promise<Value> {
  try {
    return await action
  } catch (cause) {
    throw new HttpError(503, 'upload_unavailable', 'files cannot be stored at the moment', { cause })
  }
}
