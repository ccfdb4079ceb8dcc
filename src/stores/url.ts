/**
 * The URL of a store: the one place that lists the databases.
 */
import { StartupError } from '../errors.ts'

/** A database and, for SQLite, the file: a path, or `inMemory`. */
export type StoreUrl =
  | { readonly database: 'sqlite'; readonly file: string }
  | { readonly database: 'postgres'; readonly file?: undefined }

/** The file of a SQLite store that lives in memory and is gone when it is closed. */
export const inMemory = ':memory:'

/** Reads the URL of a store. Throws a StartupError if its scheme is not supported. */
export function parseStoreUrl(url: string): StoreUrl {
  const [, scheme, file = ''] = /^([a-z][a-z0-9+.-]*:)(.*)$/s.exec(url) ?? []
  if (scheme === 'sqlite:') return { database: 'sqlite', file }
  if (scheme === 'postgres:' || scheme === 'postgresql:') return { database: 'postgres' }
  // The rest of it may contain a password.
  const what = scheme === undefined ? 'a store URL without a scheme' : `a store URL with the scheme ${scheme}`
  throw new StartupError(`${what} is not supported; use sqlite:PATH or postgres://…`)
}
