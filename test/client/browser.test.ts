/**
 * The client in a browser, on a page of another origin than the service.
 */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { openBrowser, openPage, servePage } from '../helpers/browser.ts'
import { startFlakyProxy } from '../helpers/flaky-proxy.ts'
import { startService } from '../helpers/service.ts'

const client = stripTypeScriptTypes(readFileSync(join(import.meta.dirname, '../../src/client/index.ts'), 'utf8'))

const browser = await openBrowser('the client in a browser')
if (browser !== undefined) {
  t.test('a page adds once what was lost, lists every page, and is told of errors and deprecation', async (t) => {
    const shop = await servePage(t, { '/client.js': client })
    const service = await startService(t, { corsOrigins: [shop] })
    const proxy = await startFlakyProxy(t, service.origin, ['refuse'])
    const { page, complaints } = await openPage(t, browser)
    await page.goto(shop)
    const story = `(async () => {
      const { createAnimalStore } = await import('/client.js')
      const store = createAnimalStore({ baseUrl: '${proxy.origin}/v1', key: '${service.key}' })
      for (const name of ['Rex', 'Mia', 'Tom']) await store.add({ name, categoryId: 2n ** 53n + 1n })
      const listed = await Array.fromAsync(store.pets({ limit: 2 }))
      const { code, status, requestId } = await store.get(7n).catch((error) => error)
      const error = { code, status, isKnown: requestId !== undefined }
      return { listed: listed.map(({ id, categoryId }) => id + ' ' + categoryId), error }
    })()`
    t.match(await page.evaluate(story), {
      listed: ['1 9007199254740993', '2 9007199254740993', '3 9007199254740993'],
      error: { code: 'animal_not_found', status: 404, isKnown: true },
    })
    t.equal(complaints.filter((text) => text.startsWith('Animal Store: getPet is deprecated')).length, 1)
    t.ok(proxy.connections() > 1)
    t.equal((await service.store.pets.list({ after: 0n, limit: 100 })).length, 3)
  })
}
