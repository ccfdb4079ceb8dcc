/** Opens the files of a document: each file once, and only files in the root folder. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { DocumentError, toError } from '../shared/errors.ts'
import { formatPath, type ParsedFile, parseFile } from './parse.ts'

export interface ReadOptions {
  /** The folder with all files of the document; by default, the folder of the first file. No reference leads out of it. */
  readonly root?: string | undefined
  /**
   * Called with the absolute path of each file before it is opened, also of a file that is missing or outside `root`, so that a program
   * can watch the files.
   */
  readonly onRead?: ((path: string) => void) | undefined
}

/** Why a file cannot be opened, or a reference has no target: `what is wrong; what to do`. */
export type Reason = string

/** The files of a document. */
export interface Files {
  /** Opens the file that a relative URI in another file leads to. Throws a DocumentError if the file is not YAML. */
  open(uri: string, from: ParsedFile): ParsedFile | Reason
  /** True if no other file has been opened. */
  isSingle(): boolean
}

/** Reads the first file of a document. Throws a DocumentError if it cannot be read, or is not YAML. */
export function readFirstFile(path: string, { onRead }: ReadOptions): ParsedFile {
  const name = formatPath(path)
  onRead?.(resolve(path))
  try {
    // Otherwise, a device or a pipe may have no end.
    if (!statSync(path).isFile()) {
      throw new DocumentError(`${name}:1:1: this is not a regular file; save the document in one`)
    }
    return parseFile(path, readFileSync(path))
  } catch (error) {
    const { code } = toError(error)
    // A DocumentError has no code. The decoder's error for other texts than UTF-8 has one.
    if (code === undefined) throw error
    throw new DocumentError(`${name}:1:1: the file cannot be read (${code}); check its name, permissions and encoding`)
  }
}

/** Creates the access to the other files of a document, all of which are in a folder; without a folder, none can be opened. */
export function createFiles(firstFile: ParsedFile, folder: string | undefined, { onRead }: ReadOptions): Files {
  /** The opened files, by path. */
  const files = new Map([[resolve(firstFile.path), firstFile]])

  function open(uri: string, from: ParsedFile): ParsedFile | Reason {
    const path = toPath(uri, from.path)
    if (path === undefined) {
      return `"${uri}" is not a file, and nothing is downloaded; save it beside this file, and refer to the copy`
    }
    if (folder === undefined) return `"${uri}" is in no folder, as this document is in no file; set the option root`
    const file = files.get(path) ?? readFile(path, folder, onRead)
    if (typeof file === 'string') return `the file "${uri}" ${file}`
    files.set(path, file)
    return file
  }

  return { open, isSingle: () => files.size === 1 }
}

/** Reads the file at a path; returns the rest of a sentence about the file if that is not possible. */
function readFile(path: string, folder: string, onRead: ReadOptions['onRead']): ParsedFile | string {
  onRead?.(path)
  if (!existsSync(folder)) {
    return `cannot be read without the root folder "${formatPath(folder)}", which does not exist; correct the option root`
  }
  try {
    if (isOutside(realpathSync(path), realpathSync(folder))) {
      return `is outside the root folder "${formatPath(folder)}"; move it there, or set the option root`
    }
    return statSync(path).isFile()
      ? parseFile(path, readFileSync(path))
      : 'is not a regular file; correct the reference'
  } catch (error) {
    const { code } = toError(error)
    if (code === undefined) throw error
    if (code === 'ENOENT') return 'does not exist; add it or correct the reference'
    return `cannot be read (${code}); check its name, permissions and encoding`
  }
}

/** Resolves a relative URI (RFC 3986, section 5) to a path; returns undefined for the URI of something else than a file. */
function toPath(uri: string, fromPath: string): string | undefined {
  try {
    const url = new URL(uri, pathToFileURL(fromPath))
    return url.search === '' ? fileURLToPath(url) : undefined
  } catch {
    return undefined
  }
}

function isOutside(path: string, folder: string): boolean {
  const relativePath = relative(folder, path)
  return isAbsolute(relativePath) || /^\.\.([\\/]|$)/.test(relativePath)
}
