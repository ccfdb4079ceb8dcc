/** Streams of items on the documentation page, in a browser. */
import type { Browser } from 'playwright-core'
import t from 'tap'
import { openBrowser, openPage } from '../helpers/browser.ts'
import { spec, startService } from '../helpers/service.ts'
import { DESK, execute, textOf, unfold } from './page-steps.ts'

const browser = await openBrowser('streams of items on the documentation page')
if (browser !== undefined) await tests(browser)

async function tests(browser: Browser): Promise<void> {
  t.test('a stream shows the schema of its items, and a response that has ended', async (t) => {
    const operation = `  /births:
    get:
      operationId: watchBirths
      security: []
      responses:
        "200":
          description: Animals that are born.
          content: { application/jsonl: { itemSchema: { type: object, properties: { name: { example: Rex } } } } }
`
    const source = spec
      .replace('openapi: 3.1.0', 'openapi: 3.2.0')
      .replace('\ncomponents:', `${operation}\ncomponents:`)
    const body = async function* () {
      yield { name: 'Rex' }
      yield { name: 'Tom' }
    }
    const watchBirths = async () => ({ status: 200, body: body() })
    const { origin } = await startService(t, {
      source,
      extend: (_app, options) => ({ ...options, handlers: { ...options.handlers, watchBirths } }),
    })
    const { page, complaints } = await openPage(t, browser, { viewport: DESK })
    await page.goto(`${origin}/docs`)
    const watch = page.locator('.opblock', { hasText: 'watchBirths' })
    await unfold(watch)
    t.match(await textOf(watch.locator('.responses-table')), 'application/jsonl: a stream of items, each as below.')
    t.match(await textOf(watch.locator('.responses-table .highlight-code')), '"name": "Rex"')
    t.match(await execute(watch), { status: '200', body: '{"name":"Rex"}\n{"name":"Tom"}' })
    t.same(complaints, [])
  })
}
