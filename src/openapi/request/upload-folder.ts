/** The folder of the files that clients upload, each until the request ends. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, openAsBlob, rmdirSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HttpError } from '../shared/errors.ts'
import type { Part } from './form-parts.ts'
import type { PartHeader } from './part-header.ts'

export class UploadFolder {
  readonly folder: string
  readonly #logFailure: (error: unknown) => void
  /** The paths of the files that exist. */
  readonly #paths = new Set<string>()

  /**
   * By default, the folder is the one of the system for temporary files. `logFailure` gets the error for a file that cannot be removed:
   * no request fails because of it, and `close` tries again.
   */
  constructor(folder: string | undefined, logFailure: (error: unknown) => void) {
    this.folder = folder ?? tmpdir()
    this.#logFailure = logFailure
  }

  /** True if something can be created in the folder. The permissions of `/proc`, for example, do not tell. */
  isWritable(): boolean {
    try {
      rmdirSync(mkdtempSync(join(this.folder, 'upload-')))
      return true
    } catch {
      return false
    }
  }

  /**
   * Creates an empty file that nobody else can read, with a name that nobody can guess. Rejects with a 503 if the disk fails, and so
   * do `write` and `close`.
   */
  async createFile({ fileName = '', contentType: type }: PartHeader): Promise<Part> {
    const path = join(this.folder, `upload-${randomUUID()}`)
    const handle = await withUnavailable(open(path, 'wx', 0o600))
    this.#paths.add(path)
    return {
      write: (bytes) => withUnavailable(handle.appendFile(bytes)),
      async close() {
        await withUnavailable(handle.close())
        return new File([await withUnavailable(openAsBlob(path))], fileName, { type })
      },
      remove: async () => {
        await handle.close().catch(this.#logFailure)
        await this.#remove(path)
      },
    }
  }

  /** Removes the files of requests that have not ended. The server is closed, so no file is created afterwards. */
  async close(): Promise<void> {
    await Promise.all([...this.#paths].map((path) => this.#remove(path)))
  }

  async #remove(path: string): Promise<void> {
    try {
      await rm(path, { force: true })
      this.#paths.delete(path)
    } catch (error) {
      this.#logFailure(error)
    }
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
