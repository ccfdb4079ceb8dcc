/**
 * The URLs at which the documentation page shows operations: they are sent in headers.
 */
import t from 'tap'
import { getDocumentationUrl } from '../../src/http/docs.ts'

t.test('the URL of an operation is one, whatever the names of the operation and its tag are', async (t) => {
  for (const [id, tag, url] of [
    ['getPet', undefined, '/docs#/default/getPet'],
    ['get>a pet', 'My Tag', '/docs#/My%20Tag/get%3Ea%20pet'],
    ['łaika', '100%', '/docs#/100%25/%C5%82aika'],
  ] as const) {
    t.equal(getDocumentationUrl({ id, tag }), url)
  }
})
