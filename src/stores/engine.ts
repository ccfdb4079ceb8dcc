/**
 * What the URL of a store says: the one place here that knows which engines there are.
 */
import { StoreOpenError } from './store.ts'

/** An engine; and the file, for SQLite: a path, or `inMemory`. */
export type Engine =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly file?: undefined }

/** The file of a SQLite store that is gone when it is closed. */
export const inMemory = ':memory:'

/** The engine of the store that a URL names. Throws a StoreOpenError when it is none of those that there are. */
export function engineOf(url: string): Engine {
  const [, scheme, file = ''] = /^([a-z][a-z0-9+.-]*:)(.*)$/s.exec(url) ?? []
  if (scheme === 'sqlite:') return { engine: 'sqlite', file }
  if (scheme === 'postgres:' || scheme === 'postgresql:') return { engine: 'postgres' }
  // The rest of it may hold a password.
  const what = scheme === undefined ? 'a store of no kind' : `a store of the kind ${scheme}`
  throw new StoreOpenError(`${what} cannot be opened; name one as sqlite:PATH or postgres://…`)
}
