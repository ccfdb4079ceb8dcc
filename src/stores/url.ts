/** The URL of a store: which database it names, and where it is. */
import { StartupError } from '../errors.ts'

/** A database and, for SQLite, the file: a path, or `inMemory`. */
export type StoreUrl =
  | { readonly database: 'sqlite'; readonly file: string }
  | { readonly database: 'postgres'; readonly file?: undefined }

/** The file of a SQLite store that lives in memory and is gone when it is closed. */
export const inMemory = ':memory:'

/** Reads the URL of a store. Throws a StartupError if it names none. */
export function parseStoreUrl(url: string): StoreUrl {
  const [, scheme, file = ''] = /^([a-z][a-z0-9+.-]*:)(.*)$/s.exec(url) ?? []
  if (scheme === 'postgres:' || scheme === 'postgresql:') return { database: 'postgres' }
  // The rest may contain a password.
  if (scheme !== 'sqlite:') {
    const what = scheme === undefined ? 'a store URL without a scheme' : `a store URL with the scheme ${scheme}`
    throw new StartupError(`${what} is not supported; use sqlite:PATH or postgres://…`)
  }
  // Some programs read two slashes as the beginning of a host, others as that of a relative path.
  if (file !== '' && !file.startsWith('//')) return { database: 'sqlite', file }
  const shown = url.replace(/\/\/.*@/s, '//[redacted]@')
  throw new StartupError(`cannot open the store ${shown}: the URL names no file; use sqlite:PATH`)
}
