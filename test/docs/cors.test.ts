/**
 * Cross-origin requests, as a browser makes them.
 */
import t from 'tap'
import { openBrowser, openPage, servePage } from '../helpers/browser.ts'
import { startService } from '../helpers/service.ts'

const browser = await openBrowser('cross-origin requests in a browser')
if (browser !== undefined) {
  t.test('a browser lets a page of a listed origin use the service, and no other', async (t) => {
    const [shop, other] = [await servePage(t), await servePage(t)]
    const service = await startService(t, { corsOrigins: [shop] })
    const story = async (origin: string) => {
      const { page } = await openPage(t, browser)
      await page.goto(origin)
      return page.evaluate(useService, [service.origin, service.key] as const)
    }

    const responses = await story(shop)
    t.same(
      responses.map(({ status }) => status),
      [201, 201, 200, 200, 401, 400, 404],
    )
    t.match(responses[0], { headers: { location: '/v1/pets/1' }, body: { id: 1, name: 'Rex' } })
    t.match(responses[2], { headers: { link: /rel="next"/ } })
    t.match(responses[3], { headers: { deprecation: /^@/, sunset: /GMT$/ } })
    t.match(responses[4], { headers: { 'www-authenticate': /^Bearer/ }, body: { code: 'invalid_key' } })
    t.ok(responses.every(({ headers }) => headers['x-request-id']))

    await t.rejects(story(other), /Failed to fetch/)
    t.equal((await service.store.pets.list({ after: 0n, limit: 100 })).length, 2, 'the other page has added nothing')
  })
}

/** What a page does with the service; it runs in the browser, and knows nothing of this file. */
async function useService([base, key]: readonly [string, string]) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const read = async (path: string, init: object = {}) => {
    const response = await fetch(base + path, { headers, ...init })
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.json() }
  }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  const responses = [
    await read('/v1/pets', { method: 'POST', headers: { 'idempotency-key': '"1"', ...headers }, body }),
    await read('/v1/pets', { method: 'POST', body }),
    await read('/v1/pets?limit=1'),
    await read('/v1/pets/1'),
    await read('/v1/pets/1', { headers: { authorization: 'Bearer x' } }),
    await read('/v1/pets?limit=0'),
    // Its preflight succeeds, as for any path.
    await read('/nothing'),
  ]
  return responses
}
