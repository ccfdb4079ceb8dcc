/**
 * The log for people.
 */
import t from 'tap'
import { createPrettifier } from '../../scripts/dev/log.ts'

const request = { level: 30, req: { method: 'GET', path: '/v1/pets' }, operationId: 'listPets', key: 'first-key' }
const format = (event: unknown, isColored = false) => createPrettifier(isColored)(JSON.stringify(event))

t.test('a request is one readable line', (t) => {
  t.equal(format({ ...request, res: { statusCode: 200 }, ms: 1.379 }), 'GET /v1/pets 200 1.4 ms listPets first-key\n')
  const refused = { ...request, key: undefined, res: { statusCode: 401, code: 'missing_key' }, ms: 0.21 }
  t.equal(format(refused), 'GET /v1/pets 401 0.2 ms listPets missing_key\n')
  t.end()
})

t.test('the colour of a request says how it ended', (t) => {
  const colors = [200, 304, 404, 500].map((statusCode) => {
    const line = format({ ...request, res: { statusCode }, ms: 1 }, true)
    return line.slice(line.indexOf('\x1b[') + 2, line.indexOf('m'))
  })
  t.strictSame(colors, ['32', '36', '33', '31'])
  t.end()
})

t.test('other events are shown with all their members', (t) => {
  t.equal(
    format({ level: 40, time: 1, pid: 1, hostname: 'h', operationId: 'getPet', msg: 'late' }),
    'WARN: late {"operationId":"getPet"}\n',
  )
  t.end()
})
