/** Opens the files of a document: each file once, and only files in the root folder. */
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { DocumentError, toError } from '../shared/errors.ts'
import { type ParsedFile, parseFile } from './parse.ts'

export interface ReadOptions {
  /** The folder with all files of the document; by default, the folder of the first file. Nothing outside it is read. */
  readonly root?: string | undefined
  /** Called with the absolute path of each file before it is read, so that a program can watch the files. */
  readonly onRead?: ((path: string) => void) | undefined
}

/** The files of a document. */
export interface Files {
  /**
   * Opens the file that a relative URI in another file leads to; returns `what is wrong; what to do` if that is not possible. Throws a
   * DocumentError if the file is not YAML.
   */
  open(uri: string, from: ParsedFile): ParsedFile | string
  /** Returns the relative URI of a file for use in another file. */
  getUri(file: ParsedFile, from: ParsedFile): string
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
    return parseFile(name, readFileSync(path))
  } catch (error) {
    const { code } = toError(error)
    if (code === undefined) throw error
    throw new DocumentError(`${name}:1:1: the file cannot be read (${code}); check its name, permissions and encoding`)
  }
}

/**
 * Creates the access to the other files of a document. An object of a program has no `firstPath`; its URIs are relative to `root`.
 */
export function createFiles(
  firstFile: ParsedFile,
  firstPath: string | undefined,
  { root, onRead }: ReadOptions,
): Files {
  const folder = root ?? (firstPath === undefined ? undefined : dirname(firstPath))
  /** The path by which each file was opened first: relative URIs in the file start from it. */
  const paths = new Map([[firstFile, firstPath ?? join(folder ?? '', firstFile.name)]])
  /** The result of each path that was opened: the file, or why it cannot be opened. */
  const results = new Map<string, ParsedFile | string>(firstPath === undefined ? [] : [[resolve(firstPath), firstFile]])
  /** The files by their paths without symbolic links: a file with several paths is parsed once. */
  const filesByRealPath = new Map<string, ParsedFile>()

  function open(uri: string, from: ParsedFile): ParsedFile | string {
    const path = toPath(uri, getPath(from))
    if (path === undefined) {
      return `"${uri}" is not a file, and nothing is downloaded; save it beside this file, and refer to the copy`
    }
    if (folder === undefined) return `"${uri}" is in no folder, as this document is in no file; set the option root`
    const result = results.get(path) ?? read(path, folder)
    results.set(path, result)
    return typeof result === 'string' ? `the file "${uri}" ${result}` : result
  }

  /** Reads the file at a path; returns the rest of a sentence about the file if that is not possible. */
  function read(path: string, folder: string): ParsedFile | string {
    onRead?.(path)
    try {
      // Most documents have one file, so its real path is needed only here.
      if (filesByRealPath.size === 0 && firstPath !== undefined) filesByRealPath.set(realpathSync(firstPath), firstFile)
      const realPath = realpathSync(path)
      if (isOutside(realPath, realpathSync(folder))) {
        return `is outside the root folder "${formatPath(folder)}"; move it there, or set the option root`
      }
      if (!statSync(realPath).isFile()) return 'is not a regular file; correct the reference'
      const file = filesByRealPath.get(realPath) ?? parseFile(formatPath(path), readFileSync(realPath))
      filesByRealPath.set(realPath, file)
      if (!paths.has(file)) paths.set(file, path)
      return file
    } catch (error) {
      const { code } = toError(error)
      if (code === undefined) throw error
      if (code === 'ENOENT') return 'does not exist; add it or correct the reference'
      return `cannot be read (${code}); check its name, permissions and encoding`
    }
  }

  function getPath(file: ParsedFile): string {
    return paths.get(file) as string
  }

  function getUri(file: ParsedFile, from: ParsedFile): string {
    return relative(dirname(getPath(from)), getPath(file)).replaceAll('\\', '/')
  }

  return { open, getUri, isSingle: () => paths.size === 1 }
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

/** Returns a path as messages show it: relative to the working directory. */
function formatPath(path: string): string {
  return relative(process.cwd(), path) || '.'
}
