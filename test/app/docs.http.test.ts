/** The docs as they follow from the spec; test/docs has how their files are sent, and drives the page. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { getDocumentationUrl } from '../../src/http/docs.ts'
import { readDocument } from '../../src/openapi/document/read.ts'
import { findBaseUrls } from '../../src/openapi/tools.ts'
import { exchange } from '../helpers/http.ts'
import { spec, startService } from '../helpers/service.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

t.test('/ and a URL without a path lead to the docs, a page that needs no key', async (t) => {
  const { call, origin } = await startService(t)
  for (const target of ['/', 'http://x', 'http://x?', 'HTTPS://x:1?a=http://y/v1/pets', 'http://x?/v1/pets@']) {
    const responses = await exchange(origin, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    t.match(responses, [{ status: 302, headers: { location: '/docs' } }], target)
  }
  const { status, headers, text } = await call('GET', '/docs', { key: null })
  t.equal(status, 200)
  t.match(headers['content-type'], /^text\/html/)
  t.match(text, '<title>Animal Store</title>')
  const policy = String(headers['content-security-policy'])
  for (const part of ["script-src 'self'", "connect-src 'self'"]) t.ok(policy.includes(part))
  t.notMatch(policy, /upgrade-insecure-requests|unsafe|https?:/, 'the page may be used over plain HTTP')
})

t.test('the spec is there byte for byte, and as JSON with all digits of its integers', async (t) => {
  const maximum = '      format: int64\n      minimum: 1\n'
  const edited = spec.replace(maximum, `${maximum}      maximum: 9223372036854775807\n`)
  for (const source of [spec, edited]) {
    const { call } = await startService(t, { source })
    const yaml = await call('GET', '/docs/openapi.yaml', { key: null })
    t.match(yaml, { status: 200, headers: { 'content-type': 'application/yaml; charset=utf-8' } })
    t.equal(yaml.text, source)
    const json = await call('GET', '/docs/openapi.json', { key: null })
    t.match(json, { status: 200, headers: { 'content-type': /^application\/json/ } })
    t.same({ ...JSON.parse(json.text), servers: [] }, { ...parse(source), servers: [] })
    for (const { text } of [json, await call('GET', '/docs/json')]) {
      t.equal(text.includes('"maximum":9223372036854775807'), source === edited)
    }
  }
})

t.test('a spec of several files is served as one document', async (t) => {
  const [before = '', schemas = '', after = ''] = spec.split(/^ {2}schemas:\n((?: {4}.*\n|\n)+)/m)
  const { call } = await startService(t, {
    source: (before + after).replaceAll('#/components/schemas/', 'schemas.yaml#/'),
    parts: { 'schemas.yaml': schemas.replaceAll('#/components/schemas/', '#/') },
  })
  t.same(parse((await call('GET', '/docs/openapi.yaml', { key: null })).text), parse(spec))
  const { body } = await call('GET', '/docs/openapi.json', { key: null })
  t.same({ ...(body as object), servers: [] }, { ...parse(spec), servers: [] })
  t.equal((await call('GET', '/v1/pets')).status, 200)
})

t.test('/docs/json has this server alone, and openapi.json has the servers as deployed', async (t) => {
  const { call, contract } = await startService(t, {
    servers: { base_url: 'https://api.example.com/animals', staging_base_url: 'https://staging.example.com/animals' },
    base: '/animals',
  })
  const { status, headers, body } = await call('GET', '/docs/json', { key: null })
  t.equal(status, 200)
  t.match(headers['content-type'], /^application\/json/)
  const { servers, info, paths } = body as { servers: unknown; info: { description: string }; paths: object }
  t.same(servers, [{ url: '/animals', description: 'This server' }])
  t.match((await call('GET', '/docs/openapi.json')).body, {
    servers: [
      { url: 'https://api.example.com/animals', description: 'Production', variables: undefined },
      { url: 'https://staging.example.com/animals', description: 'Staging', variables: undefined },
    ],
  })
  const deployments = 'Production: `https://api.example.com/animals`; Staging: `https://staging.example.com/animals`.'
  t.ok(info.description.endsWith(deployments))
  const templates = Object.keys(paths).map((path) => `/animals${path}`)
  t.same(templates, [...new Set(contract.operations.map(({ template }) => template))])
  t.equal((await call('GET', '/animals/pets')).status, 200)
  t.equal((await call('GET', '/v1/pets')).status, 404)
})

t.test('a service at the root of its host says so', async (t) => {
  const servers = { base_url: 'https://api.example.com', staging_base_url: 'https://staging.example.com' }
  const { call } = await startService(t, { servers, base: '' })
  t.equal((await call('GET', '/pets')).status, 200)
  t.match((await call('GET', '/docs/json')).body, { servers: [{ url: '/' }] })
})

t.test('a spec with an unusual title and without an introduction and tags is shown', async (t) => {
  const source = spec
    .replace('title: Animal Store', 'title: Cats & <Dogs> $$&')
    .replace(/ {2}description: \|\n {4}List the animals[\s\S]*?(?=\nservers:)/, '')
    .replaceAll(/^ {4}description: (?:Production|Staging)\n/gm, '')
    .replace('Returns one animal.\n      tags: [Animals]\n', 'Returns one animal.\n')
  const { call } = await startService(t, { source })
  for (const path of ['/docs', '/docs/']) {
    t.match((await call('GET', path, { key: null })).text, '<title>Cats &#38; &#60;Dogs&#62; $&#38;</title>')
  }
  const { body } = await call('GET', '/docs/json')
  t.match((body as { info: { description: string } }).info.description.trim(), /^\*\*Servers\.\*\* Server: `/)
  t.match((await call('GET', '/v1/pets/1')).headers.link, '</docs#/default/getPet>; rel="deprecation"')
})

t.test('the URL of an operation is one, whatever the names of the operation and its tag are', async (t) => {
  t.equal(getDocumentationUrl({ id: 'get>a pet', tag: 'My Tag' }), '/docs#/My%20Tag/get%3Ea%20pet')
  t.equal(getDocumentationUrl({ id: 'łaika', tag: '100%' }), '/docs#/100%25/%C5%82aika')
})

t.test('the servers that the environment can set are the variables whose default is a URL', async (t) => {
  const find = (text: string) => {
    const file = join(temporaryFolder(t), 'spec.yaml')
    writeFileSync(file, text)
    return findBaseUrls(readDocument(file))
  }
  const url = '{ url: "{api}/{path}", variables: { api: { default: "http://localhost" }, path: { default: v1 } } }'
  t.same(find(spec), ['base_url', 'staging_base_url'])
  t.same(find(`servers: [${url}, { url: /v1 }]`), ['api'])
  // A spec that is wrong is refused elsewhere.
  for (const servers of ['1', '[1, null, { variables: 1 }, { variables: { a: 1, b: null } }]']) {
    t.same(find(`servers: ${servers}`), [])
  }
})

t.test('an unknown path below the docs gets 404 with the Error body', async (t) => {
  const { call, logged } = await startService(t)
  for (const file of ['nothing', 'static', 'static/nothing.js', 'static/../../package.json', 'static/%00']) {
    const body = { code: 'not_found', message: `no route for GET /docs/${file}` }
    t.match(await call('GET', `/docs/${file}`), { status: 404, body }, file)
  }
  t.notOk(logged().some(({ level }) => Number(level) > 30))
})
