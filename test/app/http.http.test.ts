/**
 * The common properties of all responses, and requests that reach no operation.
 */
import { METHODS } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { undeclaredMethod } from '../helpers/contract.ts'
import { sharedDatabases } from '../helpers/databases.ts'
import { openRaw } from '../helpers/http.ts'
import { type ServiceOptions, startService } from '../helpers/service.ts'
import { execute, lock } from '../helpers/sql.ts'

for (const database of sharedDatabases) {
  const start = async (t: Test, options: ServiceOptions = {}) =>
    startService(t, { databaseUrl: await database.fresh(t), ...options })

  t.test(database.name, async (t) => {
    t.test('the response to HEAD is that to GET, without a body', async (t) => {
      const { call, store } = await start(t)
      const { id } = await store.pets.add({ name: 'Rex', categoryId: 1n, status: 'available' })
      for (const path of ['/v1/pets', `/v1/pets/${id}`, '/v1/pets/0', '/v1/pets?limit=0', '/nothing']) {
        const [get, head] = [await call('GET', path), await call('HEAD', path)]
        t.equal(head.status, get.status)
        t.equal(head.text, '')
        const fixed = ({ 'x-request-id': _id, date: _date, ...headers }: typeof get.headers) => headers
        t.same(fixed(head.headers), fixed(get.headers), path)
      }
      t.equal((await call('HEAD', '/v1/pets', { key: null })).status, 401)
    })

    t.test('a method that a path does not support gets 405 with Allow', async (t) => {
      const { call, contract } = await start(t)
      for (const [path, allow] of [
        ['/v1/pets', contract.allow('/v1/pets')],
        ['/v1/pets?limit=0', contract.allow('/v1/pets')],
        ['/v1/pets/1', contract.allow('/v1/pets/1')],
        ['/v1/pets/abc', contract.allow('/v1/pets/1')],
        ['/health', 'GET, HEAD'],
        ['/healt%68', 'GET, HEAD'],
        ['/docs/openapi.yaml', 'GET, HEAD'],
        ['/', 'GET, HEAD'],
      ] as const) {
        for (const method of METHODS) {
          if (method === 'CONNECT' || allow.split(', ').includes(method)) continue
          // Without a key, too: that the path has no such method is no secret, and no key would help.
          const { status, headers, body } = await call(method, path, { key: null })
          t.equal(status, 405, `${method} ${path}`)
          t.equal(headers.allow, allow)
          t.match(body, { code: 'method_not_allowed', message: allow, status })
        }
      }
      // Before the body, which is of no operation.
      const text = { headers: { 'content-type': 'text/plain' }, body: 'no JSON' }
      t.equal((await call(undeclaredMethod, '/v1/pets/1', text)).status, 405)
    })

    t.test('an unknown path gets 404, also one with an extra slash', async (t) => {
      const { call } = await start(t)
      for (const [path, shown] of [
        ['/nothing', '/nothing'],
        ['/v1', '/v1'],
        ['/v1/', '/v1/'],
        ['/pets', '/pets; did you mean /v1/pets?'],
        ['/V1/pets', '/V1/pets'],
        ['/v1/Pets', '/v1/Pets'],
        ['/v1/pets/', '/v1/pets/'],
        ['/v1//pets', '/v1//pets'],
        ['//v1/pets', '//v1/pets'],
        ['/v1/pets//1', '/v1/pets//1'],
        ['/v1/pets/1/', '/v1/pets/1/'],
        ['/v1/pets/1/nothing', '/v1/pets/1/nothing'],
        ['/v1/./pets', '/v1/./pets'],
        ['/v1/pets;a=b', '/v1/pets;a=b'],
        ['/v1/nothing/here?key=secret', '/v1/nothing/here'],
        [`/${'x'.repeat(100)}`, `/${'x'.repeat(49)}…`],
      ] as const) {
        for (const method of ['GET', 'POST', 'DELETE']) {
          const { status, headers, body } = await call(method, path)
          t.equal(status, 404, `${method} ${path}`)
          t.equal(headers.deprecation, undefined)
          t.same(body, { code: 'not_found', message: `no route for ${method} ${shown}`, status: 404 })
        }
      }
    })

    t.test('a path with a malformed escape is 400', async (t) => {
      const { call } = await start(t)
      for (const path of ['/v1/pets/%', '/v1/pets/%zz', '/v1/pets/%ff', '/v1/%e0%a4%a']) {
        const { status, headers, body } = await call('GET', path)
        t.equal(status, 400, path)
        t.match(body, { code: 'invalid_request', message: 'path has a malformed percent-encoding' })
        t.equal(headers['cache-control'], 'no-store')
        t.equal(headers['x-content-type-options'], 'nosniff')
        t.match(headers['x-request-id'], /^[0-9a-f-]{36}$/)
      }
    })

    t.test('every response has the request id of the log', async (t) => {
      const { call, logged } = await start(t)
      const responses = [
        await call('GET', '/v1/pets'),
        await call('POST', '/v1/pets', { json: { name: 'Rex', categoryId: 1 } }),
        await call('GET', '/v1/pets/abc'),
        await call('GET', '/v1/pets', { key: null }),
        await call(undeclaredMethod, '/v1/pets'),
        await call('GET', '/nothing'),
        await call('GET', '/v1/pets/%zz'),
        await call('GET', '/health'),
        await call('GET', '/docs/openapi.yaml'),
      ]
      const lines = logged().filter(({ msg }) => msg === 'request')
      t.same(
        lines.map(({ reqId, res }) => [reqId, (res as { statusCode: number }).statusCode]),
        responses.map(({ headers, status }) => [headers['x-request-id'], status]),
      )
      t.equal(new Set(lines.map(({ reqId }) => reqId)).size, responses.length)
      const sent = await call('GET', '/v1/pets', { headers: { 'x-request-id': 'mine' } })
      t.not(sent.headers['x-request-id'], 'mine')
    })

    t.test('a request is logged with its path and status, and without key, query and body', async (t) => {
      const { call, logged, key } = await start(t)
      await call('POST', '/v1/pets?colour=red', { json: { name: 'A name that nobody else has', categoryId: 1 } })
      t.match(logged().at(-1), {
        level: 30,
        msg: 'request',
        req: { method: 'POST', path: '/v1/pets' },
        res: { statusCode: 400 },
        operationId: 'createPet',
        key: 'tests',
        ms: Number,
      })
      await call('POST', '/v1/pets', { json: { name: 'A name that nobody else has', categoryId: 1 } })
      const text = JSON.stringify(logged())
      for (const secret of [key, 'colour', 'nobody else']) t.notMatch(text, secret)
    })

    t.test('successes are private and must be revalidated, and errors must not be stored', async (t) => {
      const { call } = await start(t)
      t.equal((await call('GET', '/v1/pets')).headers['cache-control'], 'private, no-cache')
      const { headers } = await call('POST', '/v1/pets', { json: { name: 'Rex', categoryId: 1 } })
      t.equal(headers['cache-control'], 'private, no-cache')
      t.equal((await call('GET', String(headers.location))).headers['cache-control'], 'private, no-cache')
      for (const [method, path] of [
        ['GET', '/v1/pets/0'],
        ['GET', '/v1/pets/abc'],
        ['POST', '/v1/pets'],
        [undeclaredMethod, '/v1/pets'],
        ['GET', '/nothing'],
      ] as const) {
        t.equal((await call(method, path)).headers['cache-control'], 'no-store')
      }
    })

    t.test('responses are JSON whatever Accept says, and do not name the software', async (t) => {
      const { call } = await start(t)
      for (const path of ['/v1/pets', '/v1/pets/0', '/nothing', '/health', '/docs/']) {
        const { headers } = await call('GET', path, { headers: { accept: 'application/xml' } })
        if (!path.startsWith('/docs')) t.equal(headers['content-type'], 'application/json; charset=utf-8')
        t.equal(headers['x-content-type-options'], 'nosniff')
        t.same([headers.server, headers['x-powered-by']], [undefined, undefined])
      }
    })

    t.test('a failure of the service is logged, and the response does not describe it', async (t) => {
      const databaseUrl = await database.fresh(t)
      const { call, logged } = await start(t, { databaseUrl })
      await execute(databaseUrl, 'DROP TABLE pets')
      const { status, headers, body } = await call('GET', '/v1/pets')
      t.equal(status, 500)
      t.same(body, {
        code: 'internal_error',
        message: 'the service failed to respond; the failure is logged',
        status: 500,
      })
      t.match(
        logged().filter(({ level }) => Number(level) >= 50),
        [{ msg: 'request failed', reqId: headers['x-request-id'], err: { message: /pets/, stack: String } }],
      )
    })

    t.test(
      'a request that never ends does not keep the service from stopping for longer than it may take',
      async (t) => {
        const { origin, key, logged, stop } = await start(t, { requestTimeout: 200 })
        const [body, head] = [openRaw(origin), openRaw(origin)]
        const common = `Host: x\r\nAuthorization: Bearer ${key}\r\n`
        body.write(`POST /v1/pets HTTP/1.1\r\n${common}Content-Type: application/json\r\nContent-Length: 9\r\n`)
        body.write('Expect: 100-continue\r\n\r\n')
        await body.until('100 Continue\r\n\r\n')
        head.write(`GET /v1/pets HTTP/1.1\r\n${common}\r\nGET /v1/pets HTTP/1.1\r\nHo`)
        await head.until('[]')
        await stop()
        t.equal(await body.ended, 'HTTP/1.1 100 Continue\r\n\r\n')
        t.match(await head.ended, /^HTTP\/1\.1 200 OK\r\n.*\[\]$/s)
        t.same(
          logged().filter(({ level }) => Number(level) > 30),
          [],
        )
      },
    )

    t.test('a request is handled and logged although its client goes away before the response', async (t) => {
      const databaseUrl = await database.fresh(t)
      const { origin, key, logged, store } = await start(t, { databaseUrl })
      const release = await lock(t, databaseUrl)
      const { write, until, destroy, ended } = openRaw(origin)
      const body = '{"name":"Rex","categoryId":1}'
      write(`POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`)
      write(`Content-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`)
      await until('100 Continue\r\n\r\n')
      write(body)
      destroy()
      await ended
      await release()
      while (!logged().some(({ operationId }) => operationId === 'createPet')) await setTimeout(5)
      t.match(logged().at(-1), { level: 30, msg: 'request', key: 'tests', res: { statusCode: 201 } })
      t.match(await store.pets.list({ after: 0n, limit: 2 }), [{ name: 'Rex' }])
    })
  })
}
