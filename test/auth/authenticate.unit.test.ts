/**
 * Authentication with API keys, for each scheme that the spec may name.
 */
import t from 'tap'
import { createSecurity, type FindKey } from '../../src/auth/authenticate.ts'
import { hashKey } from '../../src/auth/keys.ts'
import type { SecurityRequirement } from '../../src/openapi/index.ts'

const bearer: SecurityRequirement = { scheme: { type: 'http', scheme: 'bearer' }, scopes: [] }
const basic: SecurityRequirement = { scheme: { type: 'http', scheme: 'Basic' }, scopes: [] }
const apiKey = (place: 'header' | 'query'): SecurityRequirement => ({
  scheme: { type: 'apiKey', in: place, name: 'key' },
  scopes: [],
})
const security = (
  findKey: FindKey = (hash) => (hash === hashKey('secret') ? { name: 'shop', scopes: undefined } : undefined),
) => createSecurity(() => 'The "Shop"', findKey)

t.test('the response to a request without a key says where to send one', (t) => {
  const { createRefusal } = security()
  for (const [requirements, place, challenge] of [
    [[bearer], 'Authorization: Bearer <API_KEY>', 'Bearer realm="The \\"Shop\\""'],
    [[basic], 'the password of Basic credentials', 'Basic realm="The \\"Shop\\""'],
    [[apiKey('header')], 'the header key', 'ApiKey realm="The \\"Shop\\""'],
    [[apiKey('query')], 'the query parameter key', 'ApiKey realm="The \\"Shop\\""'],
    [
      [bearer, apiKey('header')],
      'Authorization: Bearer <API_KEY> or the header key',
      'Bearer realm="The \\"Shop\\"", ApiKey realm="The \\"Shop\\""',
    ],
  ] as const) {
    t.match(createRefusal(requirements.map((each) => [each]))(), {
      status: 401,
      code: 'missing_key',
      message: `this operation needs an API key: send it as ${place}`,
      headers: { 'WWW-Authenticate': challenge },
    })
  }
  t.end()
})

t.test('the key is the password of Basic credentials, whoever the user is', async (t) => {
  const authenticate = security().authenticators['http basic']
  t.match(await authenticate?.('anyone:secret', basic), { name: 'shop' })
  t.throws(() => authenticate?.('secret', basic), { status: 401, code: 'invalid_key' })
  t.throws(() => authenticate?.('secret:other', basic), { status: 401, code: 'invalid_key' })
})

t.test('keys are accepted beyond the number of remembered hashes', async (t) => {
  const { authenticators } = security(() => ({ name: 'any', scopes: undefined }))
  for (let number = 0; number < 2100; number++) {
    const caller = await authenticators['http bearer']?.(`key-${number}`, bearer)
    if (caller?.id !== hashKey(`key-${number}`)) t.fail(`key-${number}`)
  }
  t.pass('each has the id of its key')
})
