/**
 * The docs as files; test/docs drives the page.
 */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { contractFile, startService } from '../helpers/service.ts'

t.test('/ leads to the docs, a page that needs no key', async (t) => {
  const { call } = await startService(t)
  const { status, headers } = await call('GET', '/', { key: null })
  t.equal(status, 302)
  t.equal(headers.location, '/docs')
  const page = await call('GET', '/docs', { key: null })
  t.equal(page.status, 200)
  t.match(page.headers['content-type'], /^text\/html/)
  t.match(page.text, '<title>Animal Store</title>')
})

t.test('the page may use its own files and server, and may be used over plain HTTP', async (t) => {
  const { call } = await startService(t)
  const policy = (await call('GET', '/docs')).headers['content-security-policy'] ?? ''
  t.match(policy, "script-src 'self'")
  t.match(policy, "connect-src 'self'")
  t.notMatch(policy, /upgrade-insecure-requests|unsafe|https?:/)
})

t.test('/docs/openapi.yaml is the file, byte for byte', async (t) => {
  const { call } = await startService(t)
  const { status, headers, text } = await call('GET', '/docs/openapi.yaml', { key: null })
  t.equal(status, 200)
  t.equal(headers['content-type'], 'application/yaml; charset=utf-8')
  t.equal(text, readFileSync(contractFile, 'utf8'))
  const edited = `${text}# and a remark at the end\n`
  const other = await startService(t, { source: edited })
  t.equal((await other.call('GET', '/docs/openapi.yaml')).text, edited)
})

t.test('/docs/json is the document with this server first, and the addresses of the deployments', async (t) => {
  const { call, contract } = await startService(t, {
    servers: { base_url: 'https://api.example.com/animals', staging_base_url: 'https://staging.example.com/animals' },
    base: '/animals',
  })
  const { status, headers, body } = await call('GET', '/docs/json', { key: null })
  t.equal(status, 200)
  t.match(headers['content-type'], /^application\/json/)
  t.same((body as { servers: unknown }).servers, [
    { url: '/animals', description: 'This server' },
    { url: 'https://api.example.com/animals', description: 'Production' },
    { url: 'https://staging.example.com/animals', description: 'Staging' },
  ])
  const templates = Object.keys((body as { paths: object }).paths).map((path) => `/animals${path}`)
  t.same(templates, [...new Set(contract.operations.map(({ template }) => template))])
  t.equal((await call('GET', '/animals/pets')).status, 200)
  t.equal((await call('GET', '/v1/pets')).status, 404)
})

t.test('numbers that JSON in a browser would round are rounded, and the page still has them', async (t) => {
  const maximum = '      format: int64\n      minimum: 1\n'
  const source = readFileSync(contractFile, 'utf8').replace(maximum, `${maximum}      maximum: 9223372036854775807\n`)
  const { call } = await startService(t, { source })
  const { status, text } = await call('GET', '/docs/json')
  t.equal(status, 200)
  t.match(text, '"maximum":9223372036854776000')
})

t.test('a service at the root of its host says so', async (t) => {
  const servers = { base_url: 'https://api.example.com', staging_base_url: 'https://staging.example.com' }
  const { call } = await startService(t, { servers, base: '' })
  t.equal((await call('GET', '/pets')).status, 200)
  t.match((await call('GET', '/docs/json')).body, { servers: [{ url: '/' }, {}, {}] })
})

t.test('an operation that belongs nowhere is found among the others that do not', async (t) => {
  const tagged = '`status` filter.\n      tags: [Animals]\n'
  const source = readFileSync(contractFile, 'utf8').replace(tagged, '`status` filter.\n')
  const { call } = await startService(t, { source })
  t.match((await call('GET', '/v1/pets/1')).headers.link, '</docs#/default/getPet>; rel="deprecation"')
})

t.test('what there is not among the docs is 404 with the Error body, and nothing else is there', async (t) => {
  const { call, logged } = await startService(t)
  for (const path of [
    '/docs/nothing',
    '/docs/static',
    '/docs/static/nothing.js',
    '/docs/static/../../package.json',
    '/docs/static/%2e%2e/package.json',
    '/docs/static/%00',
  ]) {
    const { status, body } = await call('GET', path)
    t.equal(status, 404, path)
    t.match(body, { code: 'not_found', message: `no route for GET ${path}` })
  }
  t.same(
    logged().filter(({ level }) => Number(level) > 30),
    [],
  )
})

t.test('a part of a file that there is not is the fault of the request', async (t) => {
  const { call } = await startService(t)
  const path = '/docs/static/swagger-ui.css'
  for (const [expected, headers] of [
    [416, { range: 'bytes=99999999-' }],
    [412, { 'if-match': '"another"' }],
  ] as const) {
    const { status, body } = await call('GET', path, { headers })
    t.equal(status, expected)
    t.match(body, { code: 'invalid_request' })
  }
  t.equal((await call('GET', path, { headers: { range: 'bytes=0-9' } })).status, 206)
})
