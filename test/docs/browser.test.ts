/**
 * The docs as a person uses them, in a browser.
 */
import { networkInterfaces } from 'node:os'
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { findChromium, openBrowser, openPage } from '../helpers/browser.ts'
import { startService } from '../helpers/service.ts'

const executablePath = findChromium()
if (executablePath !== undefined) {
  await tests(executablePath)
} else {
  const message = 'THE DOCS ARE NOT TESTED: there is no browser; install chromium, or name one in CHROMIUM'
  // Whoever has CI set has asked for everything to be tested.
  if (process.env.CI) t.fail(message)
  else t.pass('the docs in a browser', { skip: message })
}

async function tests(executablePath: string): Promise<void> {
  const browser = await openBrowser(t, executablePath)

  t.test('a person gives a key, tries an operation out, and sees its response', async (t) => {
    const { origin, key, store } = await startService(t)
    await store.pets.add({ name: 'Rex', categoryId: 1n, status: 'available' })
    const { page, requests, complaints } = await openPage(browser)
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
    const { page, complaints } = await openPage(browser)
    await page.goto(`${origin}/docs`)
    await authorise(page, key)
    await unfold(page, 'createPet')
    t.match(await execute(page, 'createPet'), { status: '201', body: '"name": "Rex"' })
    t.match(await store.pets.list({ after: 0n, limit: 2 }), [{ name: 'Rex' }])
    t.same(complaints, [])
  })

  t.test('without a key the page shows that one is needed', async (t) => {
    const { origin } = await startService(t)
    const { page } = await openPage(browser)
    await page.goto(`${origin}/docs`)
    await unfold(page, 'listPets')
    t.match(await execute(page, 'listPets'), { status: '401', body: '"code": "missing_key"' })
  })

  t.test(
    'the link of a deprecated operation leads to where the page says until when it is there, and how stable it is',
    async (t) => {
      const { origin, call } = await startService(t)
      const { headers } = await call('GET', '/v1/pets/1')
      const [, target] = /<([^>]+)>; rel="deprecation"/.exec(headers.link ?? '') ?? []
      const { page, complaints } = await openPage(browser)
      await page.goto(`${origin}${target}`)
      const operation = page.locator('#operations-Animals-getPet')
      // Swagger UI fills an operation in once it has followed the references in it.
      await operation.getByText('x-sunset').waitFor()
      const text = await textOf(operation.locator('.opblock-body'))
      t.match(text, 'Warning: Deprecated')
      t.match(text, 'Deprecated, and to be removed at its sunset')
      t.match(text, /x-sunset\s*"2030-12-05"/)
      t.match(text, /x-replaced-by\s*"listPets"/)
      t.match(text, /x-stability-level\s*"stable"/)
      t.match(await operation.getAttribute('class'), 'opblock-deprecated')
      t.equal(await page.locator('.opblock-deprecated').count(), 1)
      t.same(complaints, [])
    },
  )

  t.test('the page works over plain HTTP, at an address that is not localhost', async (t) => {
    const address = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === 'IPv4' && !one.internal)?.address
    if (address === undefined) return void t.pass('elsewhere', { skip: 'this machine has no address but its own' })
    const { origin, key } = await startService(t, { host: '0.0.0.0' })
    const { page, requests, complaints } = await openPage(browser)
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

/** Gives the page a key, as a person does. */
async function authorise(page: Page, key: string): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).click()
  const dialog = page.locator('.dialog-ux')
  await dialog.getByRole('textbox').fill(key)
  await dialog.getByRole('button', { name: 'Apply credentials' }).click()
  await dialog.getByRole('button', { name: 'Close' }).first().click()
}

/** Unfolds an operation. */
async function unfold(page: Page, operationId: string): Promise<void> {
  await page.locator(`#operations-Animals-${operationId} .opblock-summary-control`).click()
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
