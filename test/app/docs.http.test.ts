/**
 * The docs as they follow from the spec; test/docs has how their files are sent, and drives the page.
 */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { sendRaw } from '../helpers/http.ts'
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

t.test('a URL without a path leads where / does', async (t) => {
  const { origin } = await startService(t)
  for (const target of ['http://x', 'http://x?', 'HTTPS://x:1?a=http://y/v1/pets', 'http://x?/v1/pets@']) {
    const response = await sendRaw(origin, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    t.match(String(response), /^HTTP\/1\.1 302 Found\r\n(?:.+\r\n)*location: \/docs\r\n/, target)
  }
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

t.test('/docs/openapi.json is the same as JSON, with all digits of its integers', async (t) => {
  const maximum = '      format: int64\n      minimum: 1\n'
  const source = readFileSync(contractFile, 'utf8').replace(maximum, `${maximum}      maximum: 9223372036854775807\n`)
  const { call } = await startService(t, { source })
  const { status, headers, text } = await call('GET', '/docs/openapi.json', { key: null })
  t.equal(status, 200)
  t.match(headers['content-type'], /^application\/json/)
  t.match(text, '"maximum":9223372036854775807')
  t.same(JSON.parse(text), parse(source))
})

t.test(
  '/docs/json is the document with this server alone, and names the deployments in its introduction',
  async (t) => {
    const { call, contract } = await startService(t, {
      servers: { base_url: 'https://api.example.com/animals', staging_base_url: 'https://staging.example.com/animals' },
      base: '/animals',
    })
    const { status, headers, body } = await call('GET', '/docs/json', { key: null })
    t.equal(status, 200)
    t.match(headers['content-type'], /^application\/json/)
    t.same((body as { servers: unknown }).servers, [{ url: '/animals', description: 'This server' }])
    t.match(
      (body as { info: { description: string } }).info.description,
      'Production: <https://api.example.com/animals>; Staging: <https://staging.example.com/animals>.',
    )
    const templates = Object.keys((body as { paths: object }).paths).map((path) => `/animals${path}`)
    t.same(templates, [...new Set(contract.operations.map(({ template }) => template))])
    t.equal((await call('GET', '/animals/pets')).status, 200)
    t.equal((await call('GET', '/v1/pets')).status, 404)
  },
)

t.test('integers beyond 2^53 have all their digits in /docs/json', async (t) => {
  const maximum = '      format: int64\n      minimum: 1\n'
  const source = readFileSync(contractFile, 'utf8').replace(maximum, `${maximum}      maximum: 9223372036854775807\n`)
  const { call } = await startService(t, { source })
  const { status, text } = await call('GET', '/docs/json')
  t.equal(status, 200)
  t.match(text, '"maximum":9223372036854775807')
})

t.test('a service at the root of its host says so', async (t) => {
  const servers = { base_url: 'https://api.example.com', staging_base_url: 'https://staging.example.com' }
  const { call } = await startService(t, { servers, base: '' })
  t.equal((await call('GET', '/pets')).status, 200)
  t.match((await call('GET', '/docs/json')).body, { servers: [{ url: '/' }] })
})

t.test('the link to an operation without a tag leads to the default group', async (t) => {
  const tagged = '`status` filter.\n      tags: [Animals]\n'
  const source = readFileSync(contractFile, 'utf8').replace(tagged, '`status` filter.\n')
  const { call } = await startService(t, { source })
  t.match((await call('GET', '/v1/pets/1')).headers.link, '</docs#/default/getPet>; rel="deprecation"')
})

t.test('the title of the spec is text on the page', async (t) => {
  const source = readFileSync(contractFile, 'utf8').replace('title: Animal Store', 'title: Cats & <Dogs> $$&')
  const { call } = await startService(t, { source })
  for (const path of ['/docs', '/docs/']) {
    t.match((await call('GET', path, { key: null })).text, '<title>Cats &#38; &#60;Dogs&#62; $&#38;</title>')
  }
})

t.test('an unknown path below the docs gets 404 with the Error body', async (t) => {
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

t.test('a spec whose introduction is empty, and whose servers have no descriptions, is shown', async (t) => {
  const source = readFileSync(contractFile, 'utf8')
    .replace(/ {2}description: \|\n {4}List the animals[\s\S]*?(?=\nservers:)/, '')
    .replaceAll(/^ {4}description: (?:Production|Staging)\n/gm, '')
  const { call } = await startService(t, { source })
  const { description } = ((await call('GET', '/docs/json')).body as { info: { description: string } }).info
  t.match(description.trim(), /^\*\*Servers\.\*\* Server: </)
})
