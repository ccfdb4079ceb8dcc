/**
 * The files that the service loads: code that it does not need would cost time and memory.
 */
import t from 'tap'
import { send } from '../helpers/http.ts'
import { startServiceProcess } from '../helpers/process.ts'

const env = { API_KEYS: '0123456789abcdef' }
const headers = { authorization: 'Bearer 0123456789abcdef' }

/** At the end of the process, prints which files of packages it has loaded. */
const reporting = `
  import { createRequire } from 'node:module'
  process.on('exit', () => {
    const files = Object.keys(createRequire('/').cache)
    console.error(JSON.stringify(files.map((file) => file.split('/node_modules/').at(-1))))
  })`

t.test('a start, and the requests after it, load no package that only other configurations need', async (t) => {
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(reporting)}`]
  const { origin, kill, ended } = await startServiceProcess(t, { env, nodeArgs })
  t.match(await send(origin, 'GET', '/v1/pets?limit=20&status=sold', { headers }), { status: 200 })
  t.match(await send(origin, 'GET', '/v1/pets?limit=0', { headers }), { status: 400 })
  t.match(await send(origin, 'POST', '/v1/pets', { headers, json: { name: 'Rex', categoryId: 1 } }), { status: 201 })
  kill('SIGTERM')
  const { status, stderr } = await ended
  t.equal(status, 0)
  const loaded: string[] = JSON.parse(stderr)
  t.ok(loaded.includes('fastify/fastify.js'))
  // For the other database, for terminals, for metrics, and for pages of other origins.
  const unneeded = /^(?:pg|pino-pretty|prom-client|@fastify\/cors)\//
  t.strictSame(
    loaded.filter((file) => unneeded.test(file)),
    [],
  )
})
