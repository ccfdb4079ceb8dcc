/** API keys: their form, their names, their redaction, and the clients that they identify. */
import t from 'tap'
import {
  createAuthenticate,
  createKey,
  createRedactor,
  type FindKey,
  hashKey,
  isKeyName,
  redactKeys,
} from '../../src/auth/keys.ts'

t.test('a key is the prefix and 256 bits in base64url, and no two are the same', async (t) => {
  for (let count = 0; count < 100; count++) t.match(createKey(), /^animal_[A-Za-z0-9_-]{43}$/)
  t.equal(new Set(Array.from({ length: 1000 }, createKey)).size, 1000)
})

t.test('the hash of a key is the SHA-256 of its bytes', async (t) => {
  // FIPS 180-2, appendix B.1.
  const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  t.equal(Buffer.from(hashKey('abc'), 'base64url').toString('hex'), known)
})

t.test('the name of a key is 1 to 64 letters, digits, dots, underscores and hyphens, and no key', async (t) => {
  for (const name of ['a', 'ci', 'Build-Server_2.eu', '0', '-', 'x'.repeat(64)]) t.ok(isKeyName(name), name)
  for (const name of ['', 'x'.repeat(65), 'a b', 'a\n', 'a=b', 'a,b', 'é', 'a/b', '\0', createKey()]) {
    t.notOk(isKeyName(name), JSON.stringify(name))
  }
})

t.test('keys are redacted wherever they stand, whole or most of them', async (t) => {
  const key = createKey()
  t.equal(redactKeys(`/pets/${key}?key=${createKey()}&limit=1`), '/pets/[redacted]?key=[redacted]&limit=1')
  for (const text of [key, key.slice(0, 30), key.toUpperCase()]) {
    t.equal(redactKeys(`/v1/pets/${text}/x`), '/v1/pets/[redacted]/x')
  }
  const encode = (text: string) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&')
  for (const text of [encode(key), encode(key).toUpperCase(), key.slice(0, 9) + encode(key.slice(9))]) {
    t.equal(redactKeys(`/v1/pets/${text}/x`), '/v1/pets/[redacted]/x')
  }
  t.equal(createRedactor(['Zm9v+YmFy/cXV4+a'])(`/${encode('Zm9v+YmFy/cXV4+a==')} x`), '/[redacted] x')
  for (const text of ['animal_not_found', 'animals_of_every_kind', '/%zz%', '100 %']) t.equal(redactKeys(text), text)
})

t.test('keys without a common form are redacted, also in part', async (t) => {
  const redact = createRedactor(['Zm9v+YmFy/cXV4+aGVsbG8gd29ybGQ=', 'dots.are.not.any.character'])
  for (const text of ['Zm9v+YmFy/cXV4+aGVsbG8gd29ybGQ=', 'Zm9v+YmFy/cXV4+a', 'dots.are.not.any', createKey()]) {
    t.equal(redact(`no route for GET /${text}`), 'no route for GET /[redacted]')
  }
  for (const text of ['Zm9v+YmFy/cXV4+', 'Zm9v-YmFy/cXV4+aGVsbG8gd29ybGQ=', 'dots are not any character']) {
    t.equal(redact(text), text)
  }
})

t.test('a key, also as the password of any user, identifies the client until it is not found', async (t) => {
  const shop = { id: hashKey('secret'), name: 'shop', scopes: ['pets:read'] }
  let isActive = true
  const findKey: FindKey = (hash) => (isActive && hash === shop.id ? shop : undefined)
  for (const find of [findKey, async (hash: string) => findKey(hash)]) {
    isActive = true
    const authenticate = createAuthenticate(find)
    const ask = (credential: string) => authenticate(credential, { scopes: [], request: {} as never })
    for (const text of ['secret', 'secret', 'anyone:secret', 'any:one:secret']) t.strictSame(await ask(text), shop)
    for (const text of ['', 'secret2', 'secret:', 'secret:other']) t.equal(await ask(text), undefined, text)
    isActive = false
    t.equal(await ask('secret'), undefined)
  }
})

t.test('a key that was made without scopes has all of them', async (t) => {
  const authenticate = createAuthenticate(() => ({ name: 'shop' }))
  const caller = authenticate('secret', { scopes: [], request: {} as never })
  t.strictSame(caller, { id: hashKey('secret'), name: 'shop', scopes: 'all' })
})
