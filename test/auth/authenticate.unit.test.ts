/**
 * Authentication with API keys.
 */
import t from 'tap'
import { createAuthenticate, type FindKey, hashKey } from '../../src/auth/keys.ts'

/** Asks for the client with a credential. */
function createAsk(findKey: FindKey) {
  const authenticate = createAuthenticate(findKey)
  return (credential: string) => authenticate(credential, { scopes: [], request: {} as never })
}

const findShop: FindKey = (hash) => (hash === hashKey('secret') ? { name: 'shop', scopes: ['pets:read'] } : undefined)

t.test('a key identifies the client that has it, with its name and scopes', async (t) => {
  const shop = { id: hashKey('secret'), name: 'shop', scopes: ['pets:read'] }
  for (const findKey of [findShop, async (hash: string) => findShop(hash)]) {
    const ask = createAsk(findKey)
    for (let time = 0; time < 2; time++) t.strictSame(await ask('secret'), shop)
    t.equal(await ask('secret2'), undefined)
    t.equal(await ask(''), undefined)
  }
})

t.test('the key is the password of Basic credentials, whoever the user is', async (t) => {
  const ask = createAsk(findShop)
  t.match(await ask('anyone:secret'), { name: 'shop' })
  t.match(await ask('any:one:secret'), { name: 'shop' })
  t.equal(await ask('secret:other'), undefined)
  t.equal(await ask('secret:'), undefined)
})

t.test('a key that is no longer found is not valid, although it was', async (t) => {
  let found: ReturnType<FindKey> = { name: 'shop', scopes: undefined }
  const ask = createAsk(() => found)
  t.match(await ask('secret'), { name: 'shop' })
  found = undefined
  t.equal(await ask('secret'), undefined)
})
