/**
 * The documentation page until Swagger UI is ready: a browser takes up to seconds to evaluate it.
 */
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import t from 'tap'
import { openBrowser, openPage } from '../helpers/browser.ts'
import { holdSwaggerUi } from '../helpers/docs-page.ts'
import { contractFile, startService } from '../helpers/service.ts'
import { waitUntil } from '../helpers/wait.ts'

const VIEWPORTS = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
]

/** The operations whose places are known. */
const OPERATIONS = ['listPets', 'createPet', 'getPet']

const browser = await openBrowser('the documentation page until Swagger UI is ready')
if (browser !== undefined) await tests(browser)

async function tests(browser: Browser): Promise<void> {
  const { origin, contract } = await startService(t)

  t.test('without scripts, the operations can be read, and the contract is linked', async (t) => {
    const { page } = await openPage(t, browser, { javaScriptEnabled: false })
    await page.goto(`${origin}/docs/`)
    const texts = await page.locator('.opblock:visible').allInnerTexts()
    t.equal(texts.length, contract.operations.length)
    const operations = texts.map((text) => text.split(/\s*\n\s*/).filter(Boolean))
    t.same(
      operations.filter((each) => OPERATIONS.includes(String(each.at(-1)))),
      [
        ['GET', '/pets', 'stable', 'List animals', 'listPets'],
        ['POST', '/pets', 'stable', 'Add an animal', 'createPet'],
        ['GET', '/pets/{petId}', 'deprecated, until 5 December 2030', 'stable', 'Fetch an animal', 'getPet'],
      ],
    )
    t.equal(await page.getByRole('button', { name: 'Authorize' }).isVisible(), false)
    await page.getByText('Conventions').click()
    t.ok(await page.getByText('Every operation requires an API key').isVisible())
    const spec = await page.getByRole('link', { name: 'openapi.yaml' }).getAttribute('href')
    t.equal((await page.request.get(new URL(String(spec), origin).href)).status(), 200)
  })

  t.test('a click on an operation before Swagger UI is ready unfolds it when it is', async (t) => {
    const { page, complaints } = await openPage(t, browser)
    const release = await holdSwaggerUi(page)
    await page.goto(`${origin}/docs`, { waitUntil: 'commit' })
    await page.getByRole('link', { name: 'GET /pets/{petId}' }).click()
    t.equal(page.url(), `${origin}/docs#/Animals/getPet`)
    release()
    await page.locator('#operations-Animals-getPet .responses-wrapper').waitFor()
    t.equal(await page.locator('.opblock-body').count(), 1)
    t.equal(await page.locator('#preview').count(), 0)
    t.same(complaints, [])
  })

  t.test('the operations are in the order in which Swagger UI shows them, whatever their tags', async (t) => {
    const source = readFileSync(contractFile, 'utf8')
      .replace('tags: [Animals]\n', 'tags: [Lists, Animals]\n')
      .replace('`status` filter.\n      tags: [Animals]\n', '`status` filter.\n')
    const { origin } = await startService(t, { source })
    const { page } = await openPage(t, browser)
    const release = await holdSwaggerUi(page)
    await page.goto(`${origin}/docs`, { waitUntil: 'commit' })
    const parts = page.locator(':is(.opblock-tag, .opblock-summary-operation-id):visible')
    const before = await parts.allInnerTexts()
    t.same(
      before
        .map((text) => text.replace(/\s.*/s, ''))
        .filter((each) => ['Animals', 'Lists', 'default', ...OPERATIONS].includes(each)),
      ['Animals', 'listPets', 'createPet', 'Lists', 'listPets', 'default', 'getPet'],
    )
    release()
    await page.locator('#swagger-ui .opblock').last().waitFor()
    t.same(await parts.allInnerTexts(), before)
  })

  t.test('the page of a link to an operation scrolls to its top', async (t) => {
    const { page } = await openPage(t, browser)
    await page.goto(`${origin}/docs#/Animals/getPet`)
    const operation = page.locator('#operations-Animals-getPet')
    await operation.locator('.responses-wrapper').waitFor()
    let last: unknown
    await waitUntil(async () => {
      const before = last
      last = await page.evaluate('scrollY')
      await setTimeout(300)
      return last !== 0 && last === before
    })
    const { y = Infinity } = (await operation.boundingBox()) ?? {}
    t.ok(y >= 0 && y < 50, `${y} pixels`)
  })

  for (const viewport of VIEWPORTS) {
    t.test(`at ${viewport.width} pixels, nothing moves when Swagger UI is ready`, async (t) => {
      const { page, complaints } = await openPage(t, browser, { viewport })
      await page.addInitScript({ content: MEASURE_SHIFT })
      const release = await holdSwaggerUi(page)
      await page.goto(`${origin}/docs`, { waitUntil: 'commit' })
      await page.locator('.opblock').last().waitFor()
      const before = await measure(page)
      release()
      await page.locator('#swagger-ui .opblock').last().waitFor()
      const after = await measure(page)
      t.ok(before.length > 25 && before.length === after.length)
      t.same(
        before.filter(({ box }, index) =>
          box.some((value, side) => Math.abs(value - Number(after[index]?.box[side])) > 0.5),
        ),
        [],
      )
      t.ok(Number(await page.evaluate('shift')) < 0.05, 'cumulative layout shift')
      t.same(complaints, [])
    })
  }

  for (const [when, content] of [
    [
      'in a tab that is not shown, in which nothing is painted',
      "Object.defineProperty(document, 'hidden', { value: true }); requestAnimationFrame = () => 0",
    ],
    [
      'if it is painted after it is loaded',
      "requestAnimationFrame = (paint) => addEventListener('load', () => setTimeout(paint, 100))",
    ],
  ] as const) {
    t.test(`the page is complete ${when}`, async (t) => {
      const { page } = await openPage(t, browser)
      await page.addInitScript({ content })
      await page.goto(`${origin}/docs`)
      await page.locator('#operations-Animals-listPets').waitFor()
      t.equal(await page.locator('#preview').count(), 0)
    })
  }

  t.test('if the spec cannot be loaded, the page says so', async (t) => {
    const { page } = await openPage(t, browser)
    await page.route('**/docs/json', (route) => route.abort())
    await page.goto(`${origin}/docs`)
    await page.getByText('Failed to load API definition').waitFor()
    t.equal(await page.locator('#preview').count(), 0)
  })
}

const MEASURE_SHIFT = `
  globalThis.shift = 0
  const add = (list) => list.getEntries().forEach(({ value }) => (shift += value))
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })`

/** Measures where the parts of the page are, and how large. */
async function measure(page: Page) {
  const parts = ['.title', '.version', '.info__summary', '.description', '.info__license', '.conventions', '.authorize']
  const summary = ['', '-method', '-path', '-description', '-operation-id'].map((part) => `.opblock-summary${part}`)
  const boxes = [...parts, '.opblock-tag', '.opblock', ...summary, '.badge'].map(async (part) => {
    const elements = await page.locator(`${part}:visible`).all()
    const boxes = await Promise.all(elements.map((element) => element.boundingBox()))
    return boxes.map((box) => ({ part, box: Object.values(box ?? {}) }))
  })
  return (await Promise.all(boxes)).flat()
}
