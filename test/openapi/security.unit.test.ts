/** What the functions of security schemes are given, and return. What clients get is in requests/security.yaml. */
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import t, { type Test } from 'tap'
import type { OpenApi } from '../../src/openapi/document/model.ts'
import { HttpError, type SecurityFunction } from '../../src/openapi/index.ts'
import { readYaml } from '../helpers/yaml.ts'
import { startLayer } from './layer.ts'
import { startNoting } from './requests.ts'

const [{ document } = {}] = readYaml<{ document?: OpenApi }[]>(join(import.meta.dirname, 'requests/security.yaml'))

/** Starts the layer with a security function for every scheme. */
function start(t: Test, identify: unknown) {
  const security = Object.fromEntries(['Bearer', 'Basic', 'Header', 'Query'].map((name) => [name, identify]))
  return startNoting(t, document as OpenApi, { security: security as Record<string, SecurityFunction> })
}

t.test('a function is given the credential, the scopes of the operation and the request', async (t) => {
  const given: unknown[] = []
  const { call } = await start(t, (...[credential, { scopes, request }]: Parameters<SecurityFunction>) => {
    given.push({ credential, scopes, url: request.url })
    return { id: '1', name: 'Ada', scopes: ['open'] }
  })
  t.equal((await call('GET', '/bearer', { headers: { authorization: 'Bearer good' } })).status, 200)
  t.strictSame(given, [{ credential: 'good', scopes: ['open'], url: '/bearer' }])
})

t.test('a function is called once for the same credential and scopes of several alternatives', async (t) => {
  const given: string[] = []
  const { call } = await start(t, (credential: string) => {
    given.push(credential)
    return credential === 'bad' ? undefined : { id: '1', name: 'Ada' }
  })
  const headers = { 'X-Key': 'good', authorization: 'Basic YTpi' }
  t.equal((await call('GET', '/pairs?key=bad', { headers })).status, 200)
  t.strictSame(given, ['good', 'bad', 'a:b'])
})

t.test(
  'of several credentials that are needed at once, one that is not valid decides, whichever is checked first',
  async (t) => {
    for (const [slow, fast] of [
      ['broken', 'bad'],
      ['bad', 'broken'],
    ] as const) {
      const { call } = await start(t, async (credential: string) => {
        if (credential === slow) await setTimeout(20)
        if (credential === 'broken') throw new HttpError(503, 'unavailable', 'the keys cannot be read')
      })
      for (const [header, query] of [
        [slow, fast],
        [fast, slow],
      ] as const) {
        const { status } = await call('GET', `/both?key=${query}`, { headers: { 'x-key': header } })
        t.equal(status, 401, `${header}, ${query}`)
      }
    }
  },
)

t.test('credentials that are empty, malformed or sent twice are not valid, whatever a function returns', async (t) => {
  const given: string[] = []
  const { call } = await start(t, (credential: string) => {
    given.push(credential)
    return { id: '1', name: 'Ada', scopes: 'all' }
  })
  for (const [path, headers, error] of [
    ['/bearer', { authorization: 'Bearer good token' }, 'the token is not valid; use an active token'],
    // "user" without a colon (RFC 7617, section 2)
    ['/basic', { authorization: 'Basic dXNlcg==' }, 'the password is not valid; use an active password'],
    ['/query?key=', {}, 'the API key is not valid; use an active key'],
    ['/query?key=good&key=good', {}, 'the API key is not valid; use an active key'],
  ] as const) {
    t.match(await call('GET', path, { headers }), { status: 401, body: { error } })
  }
  t.strictSame(given, [])
})

t.test('the first scheme of an alternative names the caller, also if the second one lacks a scope', async (t) => {
  const callers: unknown[] = []
  const source = `openapi: 3.1.0
info: { title: Doors, version: 1.0.0 }
paths:
  /door:
    get: { operationId: open, security: [{ Key: [], Token: [open] }], responses: { "204": { description: Open. } } }
components:
  securitySchemes: { Key: { type: apiKey, in: header, name: X-Key }, Token: { type: http, scheme: bearer } }
`
  const { call } = await startLayer(t, {
    source,
    handlers: { open: async () => ({ status: 204 }) },
    security: { Key: () => ({ id: 'key', name: 'Ada' }), Token: () => ({ id: 'token', name: 'Ada' }) },
    hooks: { afterIdentify: [async ({ openapi }) => void callers.push(openapi?.caller?.id)] },
  })
  const headers = { 'x-key': '1', authorization: 'Bearer 1' }
  t.equal((await call('GET', '/door', { headers })).status, 403)
  t.strictSame(callers, ['key'])
})

t.test('the claims of a token, which are no list of scopes, give no rights', async (t) => {
  const { call, received } = await start(t, () => ({ id: '1', name: 'Ada', scope: 'open' }))
  t.equal((await call('GET', '/bearer', { headers: { authorization: 'Bearer any' } })).status, 403)
  t.strictSame(received, [])
})

t.test('scopes that are neither a list nor "all" are an error of the app that names the scheme', async (t) => {
  for (const [scopes, type] of [
    ['open', 'string'],
    ['open close', 'string'],
    ['', 'string'],
    [true, 'boolean'],
    [new Set(['open']), 'object'],
    [{ open: true }, 'object'],
  ] as const) {
    const { call, received } = await start(t, () => ({ id: '1', name: 'Ada', scopes }))
    const what = `returned scopes of the type ${type}; return a list of texts, or 'all' for every scope`
    t.match(await call('GET', '/bearer', { headers: { authorization: 'Bearer any' } }), {
      status: 500,
      body: { error: `the function of the security scheme "Bearer" ${what}` },
    })
    t.strictSame(received, [])
  }
})

// What security functions without types do, none of which names a client.
for (const [what, status, identify] of [
  ['returns null', 401, () => null],
  ['returns false', 401, () => false],
  ['returns a promise of null', 401, async () => null],
  ['returns true', 500, () => true],
  ['returns a text', 500, async () => 'Ada'],
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
    const { call, received } = await start(t, identify)
    for (const path of ['/header', '/either', '/optional']) {
      t.equal((await call('GET', path, { headers: { 'x-key': 'any' } })).status, status, path)
    }
    t.strictSame(received, [])
  })
}
