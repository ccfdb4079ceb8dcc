/**
 * Security as OpenAPI has it: schemes, alternatives, combinations, and operations open to all.
 */
import { runInNewContext } from 'node:vm'
import t, { type Test } from 'tap'
import type { Caller, SecurityFunction } from '../../src/openapi/index.ts'
import { startLayer } from './layer.ts'

const source = `openapi: 3.1.0
info: { title: "The \\"Doors\\" of Łódź", version: 1.0.0 }
paths:
  /bearer: { get: { operationId: bearer, security: [{ Bearer: [open] }], responses: &responses { "200": { description: In. }, default: &error { description: Out., content: { application/json: { schema: { type: object } } } } } } }
  /basic: { get: { operationId: basic, security: [{ Basic: [] }], responses: *responses } }
  /header: { get: { operationId: header, security: [{ Header: [] }], responses: *responses } }
  /query: { get: { operationId: query, security: [{ Query: [] }], responses: *responses } }
  /cookie: { get: { operationId: cookie, security: [{ Cookie: [] }], responses: *responses } }
  /either: { get: { operationId: either, security: [{ Header: [] }, { Query: [] }], responses: *responses } }
  /both: { get: { operationId: both, security: [{ Header: [], Query: [] }], responses: *responses } }
  /optional: { get: { operationId: optional, security: [{ Header: [] }, {}], responses: *responses } }
  /scopes: { get: { operationId: scopes, security: [{ Bearer: [open, close] }, { Query: [open] }], responses: *responses } }
  /open: { get: { operationId: open, security: [], responses: *responses } }
components:
  securitySchemes:
    Bearer: { type: http, scheme: Bearer }
    Basic: { type: http, scheme: basic }
    Header: { type: apiKey, in: header, name: X-Key }
    Query: { type: apiKey, in: query, name: key }
    Cookie: { type: apiKey, in: cookie, name: key }
`

const missing = '401 this operation needs an API key: send it as'
const invalid = '401 the API key is not valid; use an active key'

/** Starts the layer, with functions for which every credential that begins with "good" is valid. */
async function start(t: Test) {
  const callers: (Caller | undefined)[] = []
  const credentials: string[] = []
  const contexts: object[] = []
  const identify: SecurityFunction = async (credential, { scopes, request }) => {
    credentials.push(credential)
    contexts.push({ scopes, url: request.url })
    if (credential === 'broken') throw new Error('the keys cannot be read')
    if (!credential.startsWith('good')) return undefined
    // A credential may name its scopes.
    const [, ...own] = credential.split('+')
    return { id: credential, name: credential, scopes: own.length > 0 ? own : undefined }
  }
  const names = ['bearer', 'basic', 'header', 'query', 'cookie', 'either', 'both', 'optional', 'scopes', 'open']
  const handle = async ({ caller }: { caller: Caller | undefined }) => {
    callers.push(caller)
    return { status: 200 }
  }
  const { call } = await startLayer(t, {
    source,
    handlers: Object.fromEntries(names.map((name) => [name, handle])),
    security: { Bearer: identify, Basic: identify, Header: identify, Query: identify, Cookie: identify },
  })
  /** Returns the id of the caller; or the message of the refusal. */
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const { status, body } = await call('GET', path, { headers })
    return status === 200 ? callers.at(-1)?.id : `${status} ${(body as { error: string }).error}`
  }
  return { ask, call, callers, contexts, credentials }
}

t.test('credentials are read where their scheme has them', async (t) => {
  const { ask } = await start(t)
  t.equal(await ask('/bearer', { authorization: 'bearer good-token' }), 'good-token')
  t.equal(await ask('/basic', { authorization: `Basic ${btoa('good:secret')}` }), 'good:secret')
  t.equal(await ask('/header', { 'X-KEY': 'good-1' }), 'good-1')
  t.equal(await ask('/query?key=good%201'), 'good 1')
  t.equal(await ask('/cookie', { cookie: 'a=b; key=good=1; c=d' }), 'good=1')
})

t.test('without credentials in the place of the scheme, a request is refused', async (t) => {
  const { ask } = await start(t)
  const bearer = `${missing} Authorization: Bearer <API_KEY>`
  for (const [path, message] of [
    ['/bearer', bearer],
    ['/basic', `${missing} the password of Basic credentials`],
    ['/header', `${missing} the header X-Key`],
    ['/query', `${missing} the query parameter key`],
    ['/cookie', `${missing} the cookie key`],
    ['/either', `${missing} the header X-Key or the query parameter key`],
    ['/both', `${missing} the header X-Key or the query parameter key`],
  ] as const) {
    t.equal(await ask(path), message, path)
  }
  t.equal(await ask('/bearer', { authorization: `Basic ${btoa('good:secret')}` }), bearer)
})

t.test('credentials that are malformed, or sent twice, are not valid', async (t) => {
  const { ask, credentials } = await start(t)
  t.equal(await ask('/bearer', { authorization: 'Bearer good token' }), invalid)
  t.equal(await ask('/query?key=good&key=good'), invalid)
  t.equal(await ask('/query?key=%zz'), `${missing} the query parameter key`)
  t.equal(await ask('/cookie', { cookie: 'key=good; key=good' }), invalid)
  t.strictSame(credentials, ['', '', ''])
})

t.test('one of several alternatives is enough', async (t) => {
  const { ask } = await start(t)
  t.equal(await ask('/either', { 'x-key': 'good-1' }), 'good-1')
  t.equal(await ask('/either?key=good-2'), 'good-2')
  t.equal(await ask('/either?key=good-2', { 'x-key': 'bad' }), 'good-2')
  t.equal(await ask('/either', { 'x-key': 'bad' }), invalid)
  t.equal(await ask('/either?key=broken', { 'x-key': 'bad' }), '500 the keys cannot be read')
  t.equal(await ask('/either?key=bad', { 'x-key': 'broken' }), '500 the keys cannot be read')
})

t.test('all schemes of a combination are needed, and the first one identifies the caller', async (t) => {
  const { ask } = await start(t)
  t.equal(await ask('/both?key=good-2', { 'x-key': 'good-1' }), 'good-1')
  t.equal(await ask('/both', { 'x-key': 'good-1' }), `${missing} the header X-Key or the query parameter key`)
  t.equal(await ask('/both?key=bad', { 'x-key': 'good-1' }), invalid)
})

t.test('optional credentials are checked if they are sent', async (t) => {
  const { ask } = await start(t)
  t.equal(await ask('/optional'), undefined)
  t.equal(await ask('/optional', { 'x-key': 'good-1' }), 'good-1')
  t.equal(await ask('/optional', { 'x-key': 'bad' }), invalid)
  t.equal(await ask('/open', { 'x-key': 'bad' }), undefined)
})

t.test('the function of a scheme is given the scopes of the operation, and the request', async (t) => {
  const { ask, contexts } = await start(t)
  await ask('/bearer', { authorization: 'Bearer good' })
  t.strictSame(contexts, [{ scopes: ['open'], url: '/bearer' }])
})

t.test('a client without one of the scopes is known, and refused', async (t) => {
  const { ask, call, callers } = await start(t)
  const denied = await call('GET', '/scopes', { headers: { authorization: 'Bearer good+open' } })
  t.match(denied, {
    status: 403,
    headers: {
      'www-authenticate': 'Bearer realm="The \\"Doors\\" of ??d?", error="insufficient_scope", scope="open close"',
    },
    body: { error: 'the API key lacks the scope close' },
  })
  t.strictSame(callers, [])
  t.equal(await ask('/scopes', { authorization: 'Bearer good+close+open' }), 'good+close+open')
  t.equal(await ask('/scopes', { authorization: 'Bearer good' }), 'good', 'without scopes, it has all rights')
  t.equal(await ask('/scopes?key=good%2Bopen', { authorization: 'Bearer good+close' }), 'good+open')
  t.match(await ask('/scopes?key=good%2Bclose', { authorization: 'Bearer good+open' }), /lacks the scope close$/)
})

t.test('the challenges of a 401 are those of the schemes, and say whether a key was sent', async (t) => {
  const { call } = await start(t)
  const realm = 'realm="The \\"Doors\\" of ??d?"'
  for (const [path, headers, challenge] of [
    ['/bearer', {}, `Bearer ${realm}`],
    ['/basic', {}, `Basic ${realm}`],
    ['/cookie', {}, `ApiKey ${realm}`],
    ['/either', {}, `ApiKey ${realm}`],
    ['/scopes', {}, `Bearer ${realm}, ApiKey ${realm}`],
    ['/bearer', { authorization: 'Bearer bad' }, `Bearer ${realm}, error="invalid_token"`],
    ['/header', { 'x-key': 'bad' }, `ApiKey ${realm}, error="invalid_token"`],
  ] as const) {
    t.match(await call('GET', path, { headers }), { status: 401, headers: { 'www-authenticate': challenge } }, path)
  }
})

t.test('a function that fails is a failure of the service, and not of the credentials', async (t) => {
  const { ask } = await start(t)
  for (const path of ['/header', '/either', '/optional']) {
    t.equal(await ask(path, { 'x-key': 'broken' }), '500 the keys cannot be read', path)
  }
})

/** What security functions without types do, none of which names a client. */
const unknowns = {
  'returns null': () => null,
  'returns false': () => false,
  'returns a promise of null': async () => null,
  'returns a promise that is not one of this realm': () => runInNewContext('Promise.resolve()'),
  'throws undefined': () => {
    throw undefined
  },
  'rejects with nothing': () => Promise.reject(),
}

for (const [what, identify] of Object.entries(unknowns)) {
  t.test(`a security function that ${what} lets nobody in`, async (t) => {
    let isCalled = false
    const handle = async () => {
      isCalled = true
      return { status: 200 }
    }
    const names = ['bearer', 'basic', 'header', 'query', 'cookie', 'either', 'both', 'optional', 'scopes', 'open']
    const { call } = await startLayer(t, {
      source,
      handlers: Object.fromEntries(names.map((name) => [name, handle])),
      security: Object.fromEntries(
        ['Bearer', 'Basic', 'Header', 'Query', 'Cookie'].map((name) => [name, identify as unknown as SecurityFunction]),
      ),
    })
    const status = /throws|rejects/.test(what) ? 500 : 401
    for (const path of ['/header', '/either', '/optional']) {
      t.equal((await call('GET', path, { headers: { 'x-key': 'any' } })).status, status, path)
    }
    t.notOk(isCalled)
  })
}
