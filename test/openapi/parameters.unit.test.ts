/** The names of path parameters, the URLs that handlers build, and when validators are compiled. What handlers receive is in requests/parameters.yaml. */
import { join } from 'node:path'
import t from 'tap'
import type { OpenApi } from '../../src/openapi/document/model.ts'
import { readYaml } from '../helpers/yaml.ts'
import { load, startLayer } from './layer.ts'
import { startNoting } from './requests.ts'

const cases = readYaml<{ document: OpenApi }[]>(join(import.meta.dirname, 'requests/parameters.yaml'))
const [paths, arrays, objects] = cases.map(({ document }) => document)

t.test('the URLs that handlers build have the styles of the parameters, and are read as the same values', async (t) => {
  for (const [document, operation, input, url] of [
    [paths, 'pathList', { path: { p: [1, 2] } }, '/list/1,2'],
    [paths, 'pathTexts', { path: { p: ['a,b', 'c/d'] } }, '/texts/a%2Cb,c%2Fd'],
    [paths, 'pathExploded', { path: { p: { r: 1, g: 'a=b' } } }, '/exploded/r=1,g=a%3Db'],
    [arrays, 'list', { query: { p: [1, 2] } }, '/list?p=1&p=2'],
    [arrays, 'pipes', { query: { p: [1, 2] } }, '/pipes?p=1%7C2'],
    [objects, 'form', { query: { p: { r: 1, g: 'x&y' } } }, '/form?r=1&g=x%26y'],
    [objects, 'deep', { query: { p: { r: 1 } } }, '/deep?p%5Br%5D=1'],
    [objects, 'json', { query: { p: { a: 1n } } }, '/json?p=%7B%22a%22%3A1%7D'],
  ] as const) {
    const { app, call, received } = await startNoting(t, document as OpenApi)
    t.equal((app.openapi.urls[operation] as (input: object) => string)(input), url)
    t.equal((await call('GET', url)).status, 200)
    t.match(received, [input])
  }
})

t.test('a URL that would lead elsewhere is not built', async (t) => {
  for (const [document, operation, input] of [
    [paths, 'pathList', { path: { p: ['..'] } }],
    [paths, 'pathTexts', { path: { p: ['.'] } }],
    [paths, 'pathTexts', { path: { p: '' } }],
    [paths, 'pathTexts', { path: { p: [] } }],
    [paths, 'pathTexts', { path: { p: ['\ud83d'] } }],
    [paths, 'pathTexts', {}],
    [arrays, 'pipes', { query: { p: ['a|b', 2] } }],
    [arrays, 'spaces', { query: { p: ['a b'] } }],
    [objects, 'deep', { query: { p: { 'r][g': 1 } } }],
    [objects, 'deep', { query: { p: { '\ud83d': 1 } } }],
    [objects, 'form', { query: { p: { '\ud83d': 1 } } }],
    [objects, 'form', { query: { p: { '[': 1 } } }],
    [paths, 'pathTexts', { path: { p: null } }],
    [paths, 'pathTexts', { path: { p: [{ a: 1 }] } }],
    [arrays, 'list', { query: { p: [1, null] } }],
    [arrays, 'list', { query: { p: [] } }],
    [arrays, 'list', { query: { p: [1, undefined] } }],
    [arrays, 'list', { query: { p: [[1, 2]] } }],
    [arrays, 'list', { query: { p: [NaN] } }],
    [arrays, 'list', { query: { p: Infinity } }],
    [arrays, 'pipes', { query: { p: [] } }],
    [objects, 'form', { query: { p: { r: { a: 1 } } } }],
    [objects, 'form', { query: { p: {} } }],
    [objects, 'form', { query: { p: { r: undefined } } }],
    [objects, 'form', { query: { p: { r: [] } } }],
  ] as const) {
    const { app } = await startNoting(t, document as OpenApi)
    const build = app.openapi.urls[operation] as (input: object) => string
    t.throws(() => build(input), { name: 'TypeError', message: /^the parameter "p" cannot have .* in a URL$/ })
  }
  const { app } = await startNoting(t, arrays as OpenApi)
  const message = 'the operation has no parameter "q" in its query'
  t.throws(() => (app.openapi.urls.list as (input: object) => string)({ query: { p: [1], q: 7 } }), { message })
})

t.test('a URL has no value that ends early at the text behind it in a segment', async (t) => {
  const text = { type: 'string' } as const
  const parameters = ['a', 'b'].map((name) => ({ name, in: 'path' as const, required: true, schema: text }))
  const get = { operationId: 'range', parameters, responses: { '200': { description: 'It.' } } }
  const { app, call, received } = await startNoting(t, {
    paths: { '/range/{a}--{b}.json': { get } } as OpenApi['paths'],
  })
  const build = app.openapi.urls.range as (input: object) => string
  for (const input of [{ path: { a: '1', b: '2--3' } }, { path: { a: '1-2', b: '.json.json' } }]) {
    t.equal((await call('GET', build(input))).status, 200)
    t.match(received.pop(), input)
  }
  for (const input of [{ path: { a: '1--2', b: '3' } }, { path: { a: '1-', b: '2' } }]) {
    t.throws(() => build(input), { name: 'TypeError', message: /^the parameter "a" cannot have .* in a URL$/ })
  }
})

t.test('a URL has no value that ends early at a reserved character behind it in a segment', async (t) => {
  for (const separator of [':', ',', '@', '+', '=', '$', '&', ';']) {
    const text = { type: 'string' } as const
    const parameters = ['a', 'b'].map((name) => ({ name, in: 'path' as const, required: true, schema: text }))
    const get = { operationId: 'get', parameters, responses: { '200': { description: 'It.' } } }
    const { app, call, received } = await startNoting(t, {
      paths: { [`/${`{a}${separator}{b}`}`]: { get } } as OpenApi['paths'],
    })
    const build = app.openapi.urls.get as (input: object) => string
    const path = { a: 'p', b: `q${separator}z` }
    t.equal((await call('GET', build({ path }))).status, 200)
    t.strictSame(received.pop()?.path, path)
    t.throws(() => build({ path: { a: `p${separator}q`, b: 'z' } }), { name: 'TypeError' }, separator)
  }
})

t.test('a list in a path may be beside slashes that the app ignores', async (t) => {
  const schema = { type: 'array', items: { type: 'string' } } as const
  const parameters = ['name', 'tags', 'ids'].map((name) => ({
    name,
    in: 'path' as const,
    required: true,
    schema: name === 'name' ? ({ type: 'string' } as const) : schema,
  }))
  const get = { operationId: 'list', parameters, responses: { '200': { description: 'It.' } } }
  const { call, received } = await startNoting(
    t,
    { paths: { '/lists/{name}/{tags}/of/{ids}/toys': { get } } as OpenApi['paths'] },
    { routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true } },
  )
  for (const path of ['/lists/a%2Cb/a,b/of/a%2Cb/toys', '/lists//a%2Cb///a,b/of//a%2Cb///toys/']) {
    t.equal((await call('GET', path)).status, 200)
    t.strictSame(received.pop()?.path, { name: 'a,b', tags: ['a', 'b'], ids: ['a,b'] })
  }
})

t.test('a list in a path is not mistaken for the text of another segment', async (t) => {
  const schema = { type: 'array', items: { type: 'string' } } as const
  const parameters = [
    { name: 'b', in: 'path', required: true, schema },
    { name: 'd', in: 'path', required: true, schema },
  ]
  const get = { operationId: 'f', parameters, responses: { '200': { description: 'It.' } } }
  const document = { servers: [{ url: '/a,b' }], paths: { '/a,b/{b}/a,b/{d}/a,b': { get } } }
  const { call, received } = await startNoting(t, document as unknown as OpenApi)
  for (const [b, d] of [
    ['a,b', 'a,b'],
    ['a%2Cb', 'a,b'],
    ['a,b', 'a%2Cb'],
    ['a%2Cb', 'a%2Cb'],
  ] as const) {
    t.equal((await call('GET', `/a,b/a,b/${b}/a,b/${d}/a,b?c=/a,b/#/a,b`)).status, 400)
    t.equal((await call('GET', `/a,b/a,b/${b}/a,b/${d}/a,b`)).status, 200)
    const split = (text: string) => text.split(',').map(decodeURIComponent)
    t.strictSame(received.pop()?.path, { b: split(b), d: split(d) })
  }
})

t.test('a list in a path may be followed by slashes that the app ignores', async (t) => {
  const options = { routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true } }
  const { call, received } = await startNoting(t, paths as OpenApi, options)
  for (const path of ['/list/1,2', '/list/1,2/', '/list/1,2//', '/texts/a%2Cb,c/']) await call('GET', path)
  t.strictSame(
    received.map(({ path }) => path),
    [{ p: [1, 2] }, { p: [1, 2] }, { p: [1, 2] }, { p: ['a,b', 'c'] }],
  )
})

t.test('a list in a path has semicolons, and is rejected if they end the path for the router', async (t) => {
  const { call, received } = await startNoting(t, paths as OpenApi)
  t.equal((await call('GET', '/texts/a;x=1,b')).status, 200)
  t.strictSame(received.pop()?.path, { p: ['a;x=1', 'b'] })
  // The types of Fastify lack this option of its router.
  const routerOptions: object = { useSemicolonDelimiter: true }
  await t.rejects(startNoting(t, paths as OpenApi, { routerOptions }), {
    message: /the path parameter "p" is an array or object, .*; remove Fastify's option useSemicolonDelimiter/,
  })
})

t.test('a path parameter has any name', async (t) => {
  const names = ['pet-id', 'pet.id', 'pet$id', 'pet id', 'größe', 'a:b(c)', '1']
  for (const [schema, sent, value, error] of [
    [{ type: 'integer', format: 'int64' }, '-7', -7n, 'path.pet-id must be an int64 integer'],
    [{ type: 'array', items: { type: 'integer' } }, '1,2', [1, 2], 'path.pet-id[0] must be an integer'],
  ] as const) {
    const parameters = names.map((name) => ({ name, in: 'path', required: true, schema }))
    const get = { operationId: 'f', parameters, responses: { '200': { description: 'It.' } } }
    const paths = { [`/f/${names.map((name) => `{${name}}`).join('/')}`]: { get } } as OpenApi['paths']
    const { app, call, received } = await startNoting(t, { paths })
    const path = Object.fromEntries(names.map((name) => [name, value]))
    const url = (app.openapi.urls.f as (input: object) => string)({ path })
    t.equal(url, `/f${`/${sent}`.repeat(names.length)}`)
    t.equal((await call('GET', url)).status, 200)
    t.strictSame(
      received.map(({ path }) => path),
      [path],
    )
    const { status, body } = await call('GET', `/f/x${url.slice(2 + sent.length + 1)}`)
    t.strictSame([status, body], [400, { error }])
    t.equal((await call('GET', '/f/1')).status, 404)
    t.equal((await call('POST', url)).status, 405)
  }
})

t.test('the validators of parameters are compiled by the first request, and not at the start', async (t) => {
  let compiledCount = 0
  const source = `openapi: 3.1.0
info: { title: Lists, version: 1.0.0 }
paths:
  /lists/{id}:
    get:
      operationId: getList
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
        - { name: page, in: query, schema: { type: integer, default: 1 } }
        - { name: X-Page, in: header, schema: { type: integer } }
        - { name: page, in: cookie, schema: { type: integer } }
      responses: { "204": { description: It. } }
`
  const document = await load(t, source)
  const { Function: originalFunction } = globalThis
  const construct = (target: FunctionConstructor, parameters: string[]) => {
    // Fastify compiles functions of its own.
    if (parameters.at(-1)?.includes('vErrors')) compiledCount++
    return new target(...parameters)
  }
  t.intercept(globalThis, 'Function', { value: new Proxy(originalFunction, { construct }) })
  const { call } = await startLayer(t, { source, document, handlers: { getList: async () => ({ status: 204 }) } })
  t.equal(compiledCount, 0)
  t.equal((await call('GET', '/lists/1')).status, 204)
  t.ok(compiledCount > 0)
})
