/** Streams of items on the documentation page, in a browser. */
import { EventEmitter, on } from 'node:events'
import type { Browser } from 'playwright-core'
import t, { type Test } from 'tap'
import { openBrowser, openPage } from '../helpers/browser.ts'
import { addStream, startService } from '../helpers/service.ts'
import { waitUntil } from '../helpers/wait.ts'
import { DESK, execute, readSample, textOf, unfold } from './page-steps.ts'

const source = addStream(
  '{ application/jsonl: { itemSchema: { type: object, properties: { name: { example: Rex } } } } }',
)

const browser = await openBrowser('streams of items on the documentation page')
if (browser !== undefined) await tests(browser)

async function tests(browser: Browser): Promise<void> {
  /** Opens the page with the operation unfolded, whose stream has these items. */
  async function open(t: Test, watch: (signal: AbortSignal) => AsyncIterable<object>) {
    const watchBirths = async ({ signal }: { readonly signal: AbortSignal }) => ({ status: 200, body: watch(signal) })
    const service = await startService(t, {
      source,
      extend: (_app, options) => ({ ...options, handlers: { ...options.handlers, watchBirths } }),
    })
    const { page, complaints } = await openPage(t, browser, { viewport: DESK })
    await page.goto(`${service.origin}/docs`)
    const operation = page.locator('.opblock', { hasText: 'watchBirths' })
    await unfold(operation)
    return { ...service, operation, complaints }
  }

  t.test('a stream shows the schema of its items, and a response that has ended', async (t) => {
    const { operation, complaints } = await open(t, async function* () {
      yield { name: 'Rex' }
      yield { name: 'Tom' }
    })
    t.match(await textOf(operation.locator('.responses-table')), 'application/jsonl: a stream of items, each as below.')
    t.match(await textOf(operation.locator('.responses-table .highlight-code')), '"name": "Rex"')
    t.match(await readSample(operation, 'curl'), /^curl -i -N -X GET /)
    t.match(await execute(operation), { status: '200', body: '{"name":"Rex"}\n' })
    await operation.locator('.live-responses-table', { hasText: '{"name":"Tom"}' }).waitFor()
    t.equal(await operation.getByRole('button', { name: 'Stop' }).count(), 0)
    t.same(complaints, [])
  })

  t.test('a stream shows its items as they come, until it is stopped or cleared', async (t) => {
    let items = new EventEmitter()
    const { operation, complaints, getInFlight } = await open(t, async function* (signal) {
      yield { name: 'Rex' }
      for await (const [name] of on(items, 'birth', { signal })) yield { name }
    })
    const response = operation.locator('.live-responses-table')
    const isShown = (name: string) => response.filter({ hasText: `{"name":"${name}"}` }).waitFor()
    for (const end of ['Stop', 'Clear']) {
      items = new EventEmitter()
      await operation.getByRole('button', { name: 'Execute' }).click()
      await isShown('Rex')
      await waitUntil(() => items.emit('birth', 'Tom'))
      await isShown('Tom')
      await operation.getByRole('button', { name: end }).click()
      await waitUntil(() => getInFlight() === 0)
      await operation.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
      if (end === 'Stop') await isShown('Tom')
      else await response.waitFor({ state: 'detached' })
    }
    t.same(complaints, [])
  })
}
