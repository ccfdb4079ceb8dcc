/**
 * The largest bodies that a spec may allow, with as many mistakes as possible.
 */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { contractFile, startService } from '../helpers/service.ts'

const headers = { 'content-type': 'application/json' }

t.test('large bodies are refused with the same messages as small ones', async (t) => {
  const source = readFileSync(contractFile, 'utf8').replace('x-max-bytes: 65536', 'x-max-bytes: 4000000')
  const { call } = await startService(t, { source })
  const fields = Array.from({ length: 300_000 }, (_, count) => `"${count}":1`)
  for (const [body, message] of [
    [`{${fields}}`, /body\[0\] is not allowed.*; and more$/],
    [`{${fields},"0":1}`, 'body has "0" twice in one object'],
    [`[${'1e1,'.repeat(900_000)}1]`, 'body must be an object'],
    [`["\n${'['.repeat(3_900_000)}`, 'body is not JSON: unexpected end of string at line 1, column 2'],
    ['['.repeat(3_900_000), 'body is nested deeper than 64 levels'],
    [`{"name":"${'x'.repeat(3_900_000)}","categoryId":1}`, 'body.name must have at most 255 characters'],
    [`{"name":"Rex","categoryId":${'9'.repeat(3_900_000)}}`, 'body has a number that cannot be kept exactly: 9'],
    [`{"name":"Rex","categoryId":1}${' '.repeat(4_000_000)}`, 'the body is larger than 4000000 bytes'],
  ] as const) {
    const response = await call('POST', '/v1/pets', { headers, body })
    t.equal(response.status, body.length > 4_000_000 ? 413 : 400)
    t.match((response.body as { message: string }).message, message)
  }
  t.equal((await call('GET', '/v1/pets')).text, '[]')
})
