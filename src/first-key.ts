/** The first API key: without an active one, the service rejects every request. */

import { createKey, hashKey } from './auth/keys.ts'
import type { Config } from './config.ts'
import type { Logger } from './logger.ts'
import { isActive, type Store } from './stores/store.ts'

/**
 * Does nothing if there is an active key. Otherwise warns in production, and elsewhere makes a key and prints it, once, with
 * the URL of an operation to try it on. If the store cannot be reached, there may be a key, so it only warns.
 */
export async function ensureApiKey(store: Store, config: Config, exampleUrl: string, logger: Logger): Promise<void> {
  if (config.apiKeys.length > 0) return
  try {
    const now = await store.keys.now()
    if ((await store.keys.list()).some((key) => isActive(key, now))) return
    if (config.production) {
      logger.warn('there is no API key, so every request is rejected; make one with: npm run keys -- create NAME')
      return
    }
    const key = createKey()
    if (!(await store.keys.add('first-key', hashKey(key)))) return
    // The standard output is the log.
    console.error(`
There was no API key, so here is one. It is not shown again.

    ${key}

    curl -H 'Authorization: Bearer ${key}' ${exampleUrl}
`)
  } catch (err) {
    logger.warn({ err }, 'cannot find out if there is an API key; list the keys with: npm run keys -- list')
  }
}
