/**
 * Security as OpenAPI has it: schemes, alternatives, combinations, and operations open to all.
 */
import t, { type Test } from 'tap'
import { HttpError } from '../../src/errors.ts'
import type { SecurityRequirement } from '../../src/openapi/index.ts'
import { type Caller, startLayer } from './layer.ts'

const source = `openapi: 3.1.0
info: { title: Doors, version: 1.0.0 }
paths:
  /bearer: { get: { operationId: bearer, security: [{ Bearer: [open] }], responses: &responses { "200": { description: In. }, default: &error { description: Out., content: { application/json: { schema: { type: object } } } } } } }
  /basic: { get: { operationId: basic, security: [{ Basic: [] }], responses: *responses } }
  /header: { get: { operationId: header, security: [{ Header: [] }], responses: *responses } }
  /query: { get: { operationId: query, security: [{ Query: [] }], responses: *responses } }
  /cookie: { get: { operationId: cookie, security: [{ Cookie: [] }], responses: *responses } }
  /either: { get: { operationId: either, security: [{ Header: [] }, { Query: [] }], responses: *responses } }
  /both: { get: { operationId: both, security: [{ Header: [], Query: [] }], responses: *responses } }
  /optional: { get: { operationId: optional, security: [{ Header: [] }, {}], responses: *responses } }
  /open: { get: { operationId: open, security: [], responses: *responses } }
components:
  securitySchemes:
    Bearer: { type: http, scheme: Bearer }
    Basic: { type: http, scheme: basic }
    Header: { type: apiKey, in: header, name: X-Key }
    Query: { type: apiKey, in: query, name: key }
    Cookie: { type: apiKey, in: cookie, name: key }
`

/** Starts the layer, with authenticators for which every credential that begins with "good" is valid. */
async function start(t: Test) {
  const callers: (Caller | undefined)[] = []
  const requirements: SecurityRequirement[] = []
  const authenticate = async (credentials: string, requirement: SecurityRequirement) => {
    requirements.push(requirement)
    if (!credentials.startsWith('good')) throw new HttpError(401, 'invalid_key', `not ${credentials}`)
    return { id: credentials, name: credentials }
  }
  const names = ['bearer', 'basic', 'header', 'query', 'cookie', 'either', 'both', 'optional', 'open']
  const handle = async ({ caller }: { caller: Caller | undefined }) => {
    callers.push(caller)
    return { status: 200 }
  }
  const { call } = await startLayer(t, {
    source,
    handlers: Object.fromEntries(names.map((name) => [name, handle])),
    authenticators: {
      'http bearer': authenticate,
      'http basic': authenticate,
      'apiKey header': authenticate,
      'apiKey query': authenticate,
      'apiKey cookie': authenticate,
    },
  })
  /** Returns the id of the caller; or the message of the refusal. */
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const { status, body } = await call('GET', path, { headers })
    return status === 200 ? callers.at(-1)?.id : `${status} ${(body as { error: string }).error}`
  }
  return { ask, requirements }
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
  for (const path of ['/bearer', '/basic', '/header', '/query', '/cookie', '/either', '/both']) {
    t.equal(await ask(path), '401 no credentials', path)
  }
  t.equal(await ask('/bearer', { authorization: `Basic ${btoa('good:secret')}` }), '401 no credentials')
})

t.test('credentials that are malformed, or sent twice, are not valid', async (t) => {
  const { ask } = await start(t)
  t.equal(await ask('/bearer', { authorization: 'Bearer good token' }), '401 not ')
  t.equal(await ask('/query?key=good&key=good'), '401 not ')
  t.equal(await ask('/query?key=%zz'), '401 no credentials')
  t.equal(await ask('/cookie', { cookie: 'key=good; key=good' }), '401 not ')
})

t.test('one of several alternatives is enough', async (t) => {
  const { ask } = await start(t)
  t.equal(await ask('/either', { 'x-key': 'good-1' }), 'good-1')
  t.equal(await ask('/either?key=good-2'), 'good-2')
  t.equal(await ask('/either?key=good-2', { 'x-key': 'bad' }), 'good-2')
  t.equal(await ask('/either', { 'x-key': 'bad' }), '401 not bad')
})

t.test('all schemes of a combination are needed, and the first one identifies the caller', async (t) => {
  const { ask } = await start(t)
  t.equal(await ask('/both?key=good-2', { 'x-key': 'good-1' }), 'good-1')
  t.equal(await ask('/both', { 'x-key': 'good-1' }), '401 no credentials')
  t.equal(await ask('/both?key=bad', { 'x-key': 'good-1' }), '401 not bad')
})

t.test('optional credentials are checked if they are sent', async (t) => {
  const { ask } = await start(t)
  t.equal(await ask('/optional'), undefined)
  t.equal(await ask('/optional', { 'x-key': 'good-1' }), 'good-1')
  t.equal(await ask('/optional', { 'x-key': 'bad' }), '401 not bad')
  t.equal(await ask('/open', { 'x-key': 'bad' }), undefined)
})

t.test('the authenticator is given the scopes of the operation', async (t) => {
  const { ask, requirements } = await start(t)
  await ask('/bearer', { authorization: 'Bearer good' })
  t.match(requirements, [{ scopes: ['open'], scheme: { scheme: 'Bearer' } }])
})
