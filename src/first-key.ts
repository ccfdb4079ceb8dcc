/**
 * A service without any key refuses everyone: at start it says so or, where people try it out, makes a key.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import { createKey, hashKey } from './keys.ts'
import type { Store } from './stores/store.ts'

interface Situation {
  readonly store: Store
  readonly config: Pick<Config, 'apiKeys' | 'production'>
  /** An address of an operation that takes no parameters, to try the key on. */
  readonly example: string
  readonly logger: FastifyBaseLogger
}

/**
 * Does nothing when there is a key in force. Otherwise warns in production, and elsewhere makes a key and prints it, once.
 * Where the store is out of reach, there may be one.
 */
export async function announceKeys(situation: Situation): Promise<void> {
  try {
    await makeKey(situation)
  } catch (error) {
    situation.logger.warn(
      { err: error },
      'whether there is an API key could not be found out; see: npm run keys -- list',
    )
  }
}

async function makeKey({ store, config, example, logger }: Situation): Promise<void> {
  const inForce = (await store.keys.list()).filter(({ revokedAt }) => revokedAt === undefined)
  if (inForce.length > 0 || config.apiKeys.length > 0) return
  if (config.production) {
    logger.warn('there is no API key: every request will be refused; make one with: npm run keys -- create NAME')
    return
  }
  const key = createKey()
  if (!(await store.keys.add('first-key', hashKey(key)))) return
  console.log(`
There was no API key yet, so here is one. It is not shown again.

    ${key}

    curl -H 'Authorization: Bearer ${key}' ${example}
`)
}
