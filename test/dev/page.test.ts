/**
 * The documentation page while the spec is edited, in a browser.
 */
import type { Browser } from 'playwright-core'
import t from 'tap'
import { openBrowser, openPage } from '../helpers/browser.ts'
import { startDev } from './dev.ts'

const browser = await openBrowser('the documentation page under npm run dev')
if (browser !== undefined) await tests(browser)

async function tests(browser: Browser): Promise<void> {
  t.test('the page reloads by itself, and shows problems until they are corrected', async (t) => {
    const dev = await startDev(t)
    const { page, complaints } = await openPage(t, browser)
    await page.goto(`${dev.origin}/docs`)
    const operation = page.locator('#operations-Animals-listPets')
    await operation.getByText('List animals').waitFor()
    const banner = page.locator('#dev-problems')
    t.notOk(await banner.isVisible())

    dev.edit('openapi.yaml', 'summary: List animals', 'summary: Show animals')
    await operation.getByText('Show animals').waitFor()

    dev.edit('openapi.yaml', '      maximum: 100', '      maximun: 100')
    await banner.getByText(/openapi\.yaml:\d+:7: "maximun" is not supported/).waitFor()
    t.match(await banner.textContent(), /\| {7}maximun: 100\n +\| {7}\^$/)
    await page.reload()
    await banner.getByText('"maximun" is not supported').waitFor()
    t.ok(await operation.getByText('Show animals').isVisible(), 'the last good version is shown')

    dev.edit('openapi.yaml', '      maximun: 100', '      maximum: 100')
    await banner.waitFor({ state: 'hidden' })
    dev.edit('openapi.yaml', 'summary: Show animals', 'summary: Find animals')
    await operation.getByText('Find animals').waitFor()
    t.same(complaints, [])
  })

  t.test('behind a proxy, everything that the page requests is under its path', async (t) => {
    const dev = await startDev(t, { PUBLIC_URL: 'https://shop.example/animals' })
    const { page, requests } = await openPage(t, browser)
    await page.goto(`${dev.origin}/animals/docs`)
    dev.edit('openapi.yaml', '      maximum: 100', '      maximun: 100')
    await page.locator('#dev-problems').getByText('"maximun" is not supported').waitFor()
    for (const url of requests) t.match(url, `${dev.origin}/animals/docs`)
  })
}
