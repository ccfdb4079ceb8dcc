/**
 * The docs as a person uses them, in a browser.
 */
import { networkInterfaces } from 'node:os'
import type { Browser, Locator, Page } from 'playwright-core'
import t from 'tap'
import { openBrowser, openPage } from '../helpers/browser.ts'
import { authorise, unfold } from '../helpers/docs-page.ts'
import { startService } from '../helpers/service.ts'

const browser = await openBrowser('the documentation page in use')
if (browser !== undefined) await tests(browser)

async function tests(browser: Browser): Promise<void> {
  t.test('a person gives a key, tries an operation out, and sees its response', async (t) => {
    const { origin, key, store } = await startService(t)
    await store.pets.add({ name: 'Rex', categoryId: 1n, status: 'available' })
    const { page, requests, complaints } = await openPage(t, browser)
    await page.goto(origin)
    t.equal(page.url(), `${origin}/docs`)
    await authorise(page, key)
    await unfold(page, 'listPets')
    t.match(await execute(page, 'listPets'), { status: '200', body: '"name": "Rex"' })

    await page.reload()
    t.match(await execute(page, 'listPets'), { status: '200', body: '"name": "Rex"' }, 'the key is kept over a reload')

    t.ok(requests.includes(`${origin}/docs/json`))
    t.same(
      requests.filter((url) => !url.startsWith(`${origin}/`)),
      [],
      'nothing comes from, or goes, elsewhere',
    )
    t.same(complaints, [])
  })

  t.test('an animal that is added on the page is in the store', async (t) => {
    const { origin, key, store } = await startService(t)
    const { page, complaints } = await openPage(t, browser)
    await page.goto(`${origin}/docs`)
    await authorise(page, key)
    await unfold(page, 'createPet')
    t.match(await execute(page, 'createPet'), { status: '201', body: '"name": "Rex"' })
    t.match(await store.pets.list({ after: 0n, limit: 2 }), [{ name: 'Rex' }])
    t.same(complaints, [])
  })

  t.test('without a key the page shows that one is needed', async (t) => {
    const { origin } = await startService(t)
    const { page } = await openPage(t, browser)
    await page.goto(`${origin}/docs`)
    await unfold(page, 'listPets')
    t.match(await execute(page, 'listPets'), { status: '401', body: '"code": "missing_key"' })
  })

  t.test('the link of a deprecated operation leads to where the page says until when it is there', async (t) => {
    const { origin, call } = await startService(t)
    const { headers } = await call('GET', '/v1/pets/1')
    const [, target] = /<([^>]+)>; rel="deprecation"/.exec(headers.link ?? '') ?? []
    const { page, complaints } = await openPage(t, browser)
    await page.goto(`${origin}${target}`)
    const operation = page.locator('#operations-Animals-getPet')
    t.match(
      await textOf(operation.locator('.opblock-description')),
      'Deprecated since 20 November 2026. It is served until 5 December 2030, and may be removed after that. Use GET /pets instead.',
    )
    t.same(await operation.locator('.badge').allTextContents(), ['deprecated, until 5 December 2030'], 'and not stable')
    t.match(await operation.getAttribute('class'), 'opblock-deprecated')
    t.equal(await page.locator('.opblock-deprecated').count(), 1)
    t.equal(await page.locator('#operations-Animals-listPets .opblock-body').count(), 0)

    await operation.getByRole('link', { name: 'GET /pets' }).click()
    await page.locator('#operations-Animals-listPets .responses-wrapper').waitFor()
    t.equal(new URL(page.url()).hash, '#/Animals/listPets', 'the link opens what replaces the operation')
    t.same(complaints, [])
  })

  t.test('each link is one step back, and the last step leaves the page', async (t) => {
    const { origin } = await startService(t)
    const { page } = await openPage(t, browser)
    await page.goto(`${origin}/health`)
    await page.goto(`${origin}/docs#/Animals/getPet`)
    await page.locator('#operations-Animals-getPet').getByRole('link', { name: 'GET /pets' }).click()
    await page.locator('#operations-Animals-listPets .responses-wrapper').waitFor()
    await page.goBack()
    t.equal(page.url(), `${origin}/docs#/Animals/getPet`)
    await page.goBack()
    t.equal(page.url(), `${origin}/health`)
  })

  t.test('the page works over plain HTTP, at an address that is not localhost', async (t) => {
    const address = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === 'IPv4' && !one.internal)?.address
    if (address === undefined) return void t.pass('elsewhere', { skip: 'this machine has no address but its own' })
    const { origin, key } = await startService(t, { host: '0.0.0.0' })
    const { page, requests, complaints } = await openPage(t, browser)
    const elsewhere = `http://${address}:${new URL(origin).port}`
    await page.goto(`${elsewhere}/docs`)
    await authorise(page, key)
    await unfold(page, 'listPets')
    t.match(await execute(page, 'listPets'), { status: '200', body: '[]' })
    t.same(
      requests.filter((url) => !url.startsWith(`${elsewhere}/`)),
      [],
    )
    // Chromium says of some headers that they do nothing without HTTPS; that is no fault of the page.
    t.same(complaints, [])
  })
}

/** Executes an operation with what the page has filled in, and reads off what came back. */
async function execute(page: Page, operationId: string): Promise<{ status: string; body: string }> {
  const operation = page.locator(`#operations-Animals-${operationId}`)
  await operation.getByRole('button', { name: 'Execute' }).click()
  const response = operation.locator('.live-responses-table .response')
  return {
    status: (await textOf(response.locator('.response-col_status'))).trim(),
    body: await textOf(response.locator('.highlight-code code')),
  }
}

/** The text of something, once it can be seen. */
async function textOf(locator: Locator): Promise<string> {
  await locator.first().waitFor()
  return (await locator.first().textContent()) ?? ''
}
