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
`

const missing = '401 this operation needs'
const missingKey = `${missing} an API key: send it as`
const invalid = '401 the API key is not valid; use an active key'

/** Starts the layer with a security function for every scheme; by default, credentials that begin with "good" are valid. */
async function start(t: Test, identify: unknown = identifyGood) {
  const callers: (Caller | undefined)[] = []
  const handle = async ({ caller }: { caller: Caller | undefined }) => {
    callers.push(caller)
    return { status: 200 }
  }
  const ids = Array.from(source.matchAll(/operationId: (\w+)/g), ([, id = '']) => id)
  const schemes = ['Bearer', 'Basic', 'Header', 'Query']
  const { call } = await startLayer(t, {
    source,
    handlers: Object.fromEntries(ids.map((id) => [id, handle])),
    security: Object.fromEntries(schemes.map((name) => [name, identify as SecurityFunction])),
  })
  /** Returns the id of the caller; or the message of the refusal. */
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const { status, body } = await call('GET', path, { headers })
    return status === 200 ? callers.at(-1)?.id : `${status} ${(body as { error: string }).error}`
  }
  return { ask, call, callers }
}

const credentials: string[] = []
const contexts: object[] = []

const identifyGood: SecurityFunction = async (credential, { scopes, request }) => {
  credentials.push(credential)
  contexts.push({ scopes, url: request.url })
  if (credential === 'broken') throw new Error('the keys cannot be read')
  if (!credential.startsWith('good')) return undefined
  // A credential may name its scopes.
  const [, ...own] = credential.split('+')
  return { id: credential, name: credential, scopes: own.length > 0 ? own : undefined }
}

const { ask, call, callers } = await start(t)
const token = (credential: string) => ({ authorization: `Bearer ${credential}` })
const key = (credential: string) => ({ 'x-key': credential })

for (const [what, ...requests] of [
  [
    'credentials are read where their scheme has them',
    ['/bearer', { authorization: 'bearer good-token' }, 'good-token'],
    ['/basic', { authorization: `Basic ${btoa('good:secret')}` }, 'good:secret'],
    ['/header', { 'X-KEY': 'good-1' }, 'good-1'],
    ['/query?key=good%201', {}, 'good 1'],
  ],
  [
    'without credentials in the place of the scheme, a request is refused',
    ['/bearer', {}, `${missing} a token: send it as Authorization: Bearer <TOKEN>`],
    ['/bearer', { authorization: 'Basic good' }, `${missing} a token: send it as Authorization: Bearer <TOKEN>`],
    ['/basic', {}, `${missing} a password: send it as Basic credentials`],
    ['/header', {}, `${missingKey} the header X-Key`],
    ['/query', {}, `${missingKey} the query parameter key`],
    ['/query?key=%zz', {}, `${missingKey} the query parameter key`],
    ['/either', {}, `${missingKey} the header X-Key or the query parameter key`],
    ['/both', {}, `${missingKey} the header X-Key or the query parameter key`],
  ],
  [
    'one of several alternatives is enough',
    ['/either', key('good-1'), 'good-1'],
    ['/either?key=good-2', {}, 'good-2'],
    ['/either?key=good-2', key('bad'), 'good-2'],
    ['/either', key('bad'), invalid],
  ],
  [
    'all schemes of a combination are needed, and the first one identifies the caller',
    ['/both?key=good-2', key('good-1'), 'good-1'],
    ['/both', key('good-1'), `${missingKey} the header X-Key or the query parameter key`],
    ['/both?key=bad', key('good-1'), invalid],
  ],
  [
    'optional credentials are checked if they are sent',
    ['/optional', {}, undefined],
    ['/optional', key('good-1'), 'good-1'],
    ['/optional', key('bad'), invalid],
    ['/open', key('bad'), undefined],
  ],
  [
    'a function that fails is a failure of the service, and not of the credentials',
    ['/header', key('broken'), '500 the keys cannot be read'],
    ['/optional', key('broken'), '500 the keys cannot be read'],
    ['/either?key=broken', key('bad'), '500 the keys cannot be read'],
    ['/either?key=bad', key('broken'), '500 the keys cannot be read'],
  ],
  [
    'the scopes of a client are those of the operation; without scopes, it has all rights',
    ['/scopes', token('good+close+open'), 'good+close+open'],
    ['/scopes', token('good'), 'good'],
    ['/scopes?key=good%2Bopen', token('good+close'), 'good+open'],
    ['/scopes?key=good%2Bclose', token('good+open'), '403 the token lacks the scope close'],
  ],
] as const) {
  t.test(what, async (t) => {
    for (const [path, headers, result] of requests) t.equal(await ask(path, headers as never), result, path)
  })
}

t.test('credentials that are malformed, or sent twice, are not valid', async (t) => {
  const { length } = credentials
  t.equal(await ask('/bearer', token('good token')), '401 the token is not valid; use an active token')
  t.equal(await ask('/query?key=good&key=good'), invalid)
  t.strictSame(credentials.slice(length), ['', ''])
})

t.test('the function of a scheme is given the scopes of the operation, and the request', async (t) => {
  await ask('/bearer', token('good'))
  t.strictSame(contexts.at(-1), { scopes: ['open'], url: '/bearer' })
})

t.test('the challenge to a client without one of the scopes names them, and no handler is run', async (t) => {
  const { length } = callers
  t.match(await call('GET', '/scopes', { headers: token('good+open') }), {
    status: 403,
    headers: {
      'www-authenticate': 'Bearer realm="The \\"Doors\\" of ??d?", error="insufficient_scope", scope="open close"',
    },
    body: { error: 'the token lacks the scope close' },
  })
  t.equal(callers.length, length)
})

t.test('the challenges of a 401 are those of the schemes, and say whether a key was sent', async (t) => {
  const realm = 'realm="The \\"Doors\\" of ??d?"'
  for (const [path, headers, challenge] of [
    ['/bearer', {}, `Bearer ${realm}`],
    ['/basic', {}, `Basic ${realm}`],
    ['/either', {}, `ApiKey ${realm}`],
    ['/scopes', {}, `Bearer ${realm}, ApiKey ${realm}`],
    ['/bearer', token('bad'), `Bearer ${realm}, error="invalid_token"`],
    ['/header', key('bad'), `ApiKey ${realm}, error="invalid_token"`],
  ] as const) {
    t.match(await call('GET', path, { headers }), { status: 401, headers: { 'www-authenticate': challenge } }, path)
  }
})

// What security functions without types do, none of which names a client.
for (const [what, status, identify] of [
  ['returns null', 401, () => null],
  ['returns false', 401, () => false],
  ['returns a promise of null', 401, async () => null],
  ['returns a promise that is not one of this realm', 401, () => runInNewContext('Promise.resolve()')],
  [
    'throws undefined',
    500,
    () => {
      throw undefined
    },
  ],
  ['rejects with nothing', 500, () => Promise.reject()],
] as const) {
  t.test(`a security function that ${what} lets nobody in`, async (t) => {
    const { call, callers } = await start(t, identify)
    for (const path of ['/header', '/either', '/optional']) {
      t.equal((await call('GET', path, { headers: key('any') })).status, status, path)
    }
    t.strictSame(callers, [])
  })
}
