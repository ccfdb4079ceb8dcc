/**
 * The URLs of the servers of a document, with their variables replaced.
 */
import t from 'tap'
import type { Server } from '../../../src/openapi/document/model.ts'
import { fillServers, getBasePath } from '../../../src/openapi/document/servers.ts'

const documentOf = (servers?: Server[]) => ({
  openapi: '3.1.0',
  info: { title: '', version: '' },
  paths: {},
  ...(servers && { servers }),
})

t.test('the base path is the path of the addresses', async (t) => {
  for (const [servers, path] of [
    [undefined, ''],
    [[], ''],
    [[{ url: '/' }], ''],
    [[{ url: '' }], ''],
    [[{ url: 'https://library.example' }], ''],
    [[{ url: 'https://library.example/' }], ''],
    [[{ url: 'https://library.example:8443/api/v3' }], '/api/v3'],
    [[{ url: '/api/v3' }], '/api/v3'],
    [[{ url: '/api' }, { url: 'https://library.example/api' }], '/api'],
  ] as const) {
    t.equal(getBasePath(documentOf(servers && [...servers]), {}), path)
  }
})

t.test('variables are filled in from outside, or keep their defaults', async (t) => {
  const root = documentOf([
    {
      url: 'https://{host}/{path}',
      description: 'Home',
      variables: { host: { default: 'a.example' }, path: { default: 'v1' } },
    },
    { url: '{mirror}', variables: { mirror: { default: '/v1' } } },
  ])
  const urls = (variables: Record<string, string | undefined>) => fillServers(root, variables).map(({ url }) => url)
  t.strictSame(urls({}), ['https://a.example/v1', '/v1'])
  t.strictSame(urls({ host: 'b.example', path: undefined, other: 'x' }), ['https://b.example/v1', '/v1'])
  t.strictSame(urls({ path: 'v2', mirror: 'http://c.example/v2' }), ['https://a.example/v2', 'http://c.example/v2'])
  t.equal(getBasePath(root, { path: 'v2' }), '/v2')
  t.equal(fillServers(root, {})[0]?.description, 'Home')
})
