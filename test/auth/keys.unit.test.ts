import { createHash } from 'node:crypto'
import t from 'tap'
import { createKey, createRedactor, hashKey, isKeyName, redactKeys } from '../../src/auth/keys.ts'

t.test('a key is the prefix and 256 bits in base64url', (t) => {
  const key = createKey()
  t.match(key, /^animal_[A-Za-z0-9_-]{43}$/)
  t.equal(Buffer.from(key.slice('animal_'.length), 'base64url').length, 32)
  t.end()
})

t.test('keys are different', (t) => {
  t.equal(new Set(Array.from({ length: 1000 }, createKey)).size, 1000)
  t.end()
})

t.test('the hash of a key is the SHA-256 of its bytes', (t) => {
  // FIPS 180-2, appendix B.1.
  const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  t.equal(Buffer.from(hashKey('abc'), 'base64url').toString('hex'), known)
  const key = createKey()
  t.equal(hashKey(key), createHash('sha256').update(key).digest('base64url'))
  t.end()
})

t.test('the name of a key is 1 to 64 letters, digits, dots, underscores and hyphens', (t) => {
  for (const name of ['a', 'ci', 'Build-Server_2.eu', '0', '-', 'x'.repeat(64)]) t.ok(isKeyName(name), name)
  for (const name of ['', 'x'.repeat(65), 'a b', 'a\n', 'a=b', 'a,b', 'é', 'a/b', '\u0000']) {
    t.notOk(isKeyName(name), JSON.stringify(name))
  }
  t.end()
})

t.test('an API key cannot be the name of a key', (t) => {
  t.notOk(isKeyName(createKey()))
  t.end()
})

t.test('keys are redacted wherever they stand in a text', (t) => {
  const one = createKey()
  const two = createKey()
  t.equal(redactKeys(`/pets/${one}?key=${two}&limit=1`), '/pets/[redacted]?key=[redacted]&limit=1')
  t.equal(redactKeys(`{"key":"${one}"}`), '{"key":"[redacted]"}')
  t.end()
})

t.test('keys are redacted however they are percent-encoded', (t) => {
  const key = createKey()
  const encode = (text: string) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&')
  for (const text of [
    key.replace('_', '%5F'),
    key.replace('_', '%5f'),
    key.replace('_', '%255f'),
    encode(key),
    encode(key).toUpperCase(),
    encodeURIComponent(encode(key)),
    key.slice(0, 20) + encode(key.slice(20)),
  ]) {
    t.equal(redactKeys(`/v1/pets/${text}/x`), '/v1/pets/[redacted]/x')
  }
  for (const text of ['/v1/pets/animal%20of%20every%20kind%20and%20size', '/%zz%', '100 %'])
    t.equal(redactKeys(text), text)
  t.end()
})

t.test('most of a key is redacted like a whole one', (t) => {
  t.equal(redactKeys(`key=${createKey().slice(0, 30)}`), 'key=[redacted]')
  t.end()
})

t.test('keys without a common form are redacted, also in part and percent-encoded', (t) => {
  const redact = createRedactor(['Zm9v+YmFy/cXV4+aGVsbG8gd29ybGQ='])
  for (const text of [
    'Zm9v+YmFy/cXV4+aGVsbG8gd29ybGQ=',
    'Zm9v%2BYmFy%2FcXV4%2BaGVsbG8gd29ybGQ%3D',
    'Zm9v%2bYmFy%2fcXV4%2baGVsbG8gd29ybGQ%3d',
    '%5am9v+YmFy/cXV4+aGVsbG8gd29ybGQ=',
    'Zm9v+YmFy/cXV4+a',
  ]) {
    t.equal(redact(`no route for GET /${text}`), 'no route for GET /[redacted]')
  }
  for (const text of ['Zm9v+YmFy/cXV4+', 'Zm9v-YmFy/cXV4+aGVsbG8gd29ybGQ=']) t.equal(redact(text), text)
  t.equal(redact(createKey()), '[redacted]')
  t.end()
})

t.test('texts without keys are not changed', (t) => {
  for (const text of ['', 'animal_not_found', 'animal_store', 'sqlite:data/animal-store.db', 'animals_of_every_kind']) {
    t.equal(redactKeys(text), text)
  }
  t.end()
})
