/**
 * The parts of a request that a proxy decides: its id and the path of the public URL.
 */
import type { IncomingMessage } from 'node:http'
import t from 'tap'
import { createKey } from '../../src/auth/keys.ts'
import { createRequestIds, createTrust, createUrlRewriter } from '../../src/http/proxy.ts'

function requestFrom(remoteAddress: string | undefined, id?: string): IncomingMessage {
  return { headers: { 'x-request-id': id }, socket: { remoteAddress } } as unknown as IncomingMessage
}

t.test('an id is kept if it comes from a trusted address or network', async (t) => {
  const getId = createRequestIds(createTrust(['127.0.0.1', '10.0.0.0/8', 'fd00::/8', '::1']))
  for (const address of ['127.0.0.1', '10.1.2.3', '::ffff:10.1.2.3', 'fd12::1', '::1']) {
    t.equal(getId(requestFrom(address, 'from-the-proxy')), 'from-the-proxy', address)
  }
  for (const address of ['127.0.0.2', '11.0.0.1', '::ffff:11.0.0.1', 'fe80::1', undefined]) {
    t.match(getId(requestFrom(address, 'from-elsewhere')), /^[0-9a-f-]{36}$/, String(address))
  }
  t.equal(
    createRequestIds(createTrust(['0.0.0.0/0', '::/0']))(requestFrom('192.0.2.1', 'from-anywhere')),
    'from-anywhere',
  )
  t.match(createRequestIds(createTrust([]))(requestFrom('127.0.0.1', 'from-elsewhere')), /^[0-9a-f-]{36}$/)
})

t.test(
  'an id that is missing, empty, too long, has unusual characters, or looks like a key, is replaced by a new one',
  async (t) => {
    const getId = createRequestIds(createTrust(['127.0.0.1']))
    for (const id of ['a', 'x'.repeat(128), '4bf92f3577b34da6a3ce929d0e0e4736', 'Root=1-67891233-abc', 'a:b/c+d.e_f']) {
      t.equal(getId(requestFrom('127.0.0.1', id)), id)
    }
    for (const id of [undefined, '', 'x'.repeat(129), 'one, two', 'a b', '"', '<script>', 'é', createKey()]) {
      t.match(getId(requestFrom('127.0.0.1', id)), /^[0-9a-f-]{36}$/, String(id))
    }
  },
)

t.test('the path of the public URL is taken off, once, where it is a whole part of the path', async (t) => {
  const rewrite = createUrlRewriter('/the.shop/animals')
  for (const [url, expected] of [
    ['/the.shop/animals/v1/pets?limit=1', '/v1/pets?limit=1'],
    ['/the.shop/animals', '/'],
    ['/the.shop/animals/', '/'],
    ['/the.shop/animals?x', '/?x'],
    ['/v1/pets', '/v1/pets'],
    ['/', '/'],
    ['*', '*'],
    ['/the.shop/animals2/v1', '/the.shop/animals2/v1'],
    ['/theXshop/animals/v1', '/theXshop/animals/v1'],
    ['/v1/the.shop/animals', '/v1/the.shop/animals'],
    ['/the.shop/animals/the.shop/animals', '/the.shop/animals'],
    ['http://shop.example/the.shop/animals/v1/pets', 'http://shop.example/v1/pets'],
    ['http://shop.example/v1/pets', 'http://shop.example/v1/pets'],
  ] as const) {
    t.equal(rewrite({ url } as IncomingMessage), expected, url)
  }
})
