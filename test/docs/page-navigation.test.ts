/** The navigation of the documentation page, if there are many operations: by tags, with a search, and links that can be shared. */
import type { Browser, Page } from 'playwright-core'
import t from 'tap'
import { openBrowser, openPage } from '../helpers/browser.ts'
import { startService } from '../helpers/service.ts'
import { waitUntil } from '../helpers/wait.ts'
import { checkReadable, DESK, PHONE, serveDocs } from './page-steps.ts'

const browser = await openBrowser('the navigation of the documentation page')
if (browser !== undefined) await tests(browser)

async function tests(browser: Browser): Promise<void> {
  const urls = new Map<number, Promise<string>>()
  /** Serves the page of a document of this many operations, once for all tests: the browser keeps the scripts of a page. */
  const servePage = async (count: number): Promise<string> => {
    if (!urls.has(count)) urls.set(count, serveDocs(t, createDocument(count)))
    return String(await urls.get(count))
  }

  t.test('a page of few operations has no navigation', async (t) => {
    const { origin } = await startService(t)
    const { page } = await openPage(t, browser)
    for (const [url, count] of [
      [`${origin}/docs`, 0],
      [await servePage(8), 0],
      [await servePage(9), 1],
    ] as const) {
      await page.goto(url)
      await page.locator('.opblock').first().waitFor()
      t.equal(await page.getByRole('navigation').count(), count, url)
    }
  })

  t.test('the navigation lists operations and webhooks by tags, and the search finds them by any words', async (t) => {
    const { page, complaints } = await openPage(t, browser)
    await page.goto(await serveDocs(t, createDocument(9, 'webhooks: { sold: { post: { operationId: tell } } }')))
    const navigation = page.getByRole('navigation', { name: 'Operations' })
    const read = async () => (await navigation.innerText()).split(/\s*\n\s*/).filter(Boolean)
    const first = ['GET', 'list 0', 'POST', 'add 1', 'GET', 'list 2', 'POST', 'add 3', 'GET', 'list 4']
    const second = ['POST', 'add 5', 'GET', 'list 6', 'POST', 'add 7', 'GET', 'list 8']
    t.same(await read(), [
      '10 operations',
      'Cats & dogs/all',
      ...first,
      '100% birds',
      ...second,
      'Webhooks',
      'POST',
      'sold',
    ])
    for (const [phrase, found] of [
      ['post /PATH3', ['1 operation', 'Cats & dogs/all', 'POST', 'add 3']],
      ['birds operation6', ['1 operation', '100% birds', 'GET', 'list 6']],
      ['secret purpose 8', ['1 operation', '100% birds', 'GET', 'list 8']],
      ['no such thing', ['0 operations']],
    ] as const) {
      await navigation.getByRole('searchbox').fill(phrase)
      t.same(await read(), found, phrase)
    }
    t.same(complaints, [])
  })

  for (const count of [9, 300]) {
    t.test(
      `each of ${count} operations has a link that unfolds, shows and focuses it, here and for others`,
      async (t) => {
        const { page, complaints } = await openPage(t, browser, { viewport: DESK })
        await page.goto(await servePage(count))
        const navigation = page.getByRole('navigation')
        const late = { name: `list ${count === 9 ? 8 : 200}`, id: `operation${count === 9 ? 8 : 200}` }
        for (const { name, id } of [{ name: 'add 1', id: 'operation1' }, late, { name: 'list 2', id: 'operation2' }]) {
          const link = navigation.getByRole('link', { name }).first()
          await link.focus()
          await page.keyboard.press('Enter')
          await waitUntil(async () => (await getFocused(page))?.id === id)
          t.ok((await getFocused(page))?.isInView, `${id} is in view`)
          t.equal(await navigation.locator('[aria-current]').getAttribute('href'), new URL(page.url()).hash)
          // A page of 300 operations takes seconds, and the late one is the harder one.
          if (count === 300 && id !== late.id) continue
          const other = await openPage(t, browser, { viewport: DESK, locale: 'de' })
          await other.page.goto(page.url())
          await waitUntil(async () => (await getFocused(other.page))?.id === id)
          t.ok((await getFocused(other.page))?.isInView, `${id} is in view in another browser`)
          t.same(other.complaints, [])
        }
        await page.goBack()
        await waitUntil(async () => (await getFocused(page))?.id === late.id)
        t.same(complaints, [])
      },
    )
  }

  t.test('a link that was cut off within a character leads to the page, and one of a tag to the tag', async (t) => {
    const { page, complaints } = await openPage(t, browser)
    const url = await servePage(9)
    await page.goto(`${url}#/100%2`)
    await page.locator('.opblock').first().waitFor()
    await page.goto(`${url}#/100%25%20birds`)
    await waitUntil(() => page.evaluate("document.activeElement.closest('[data-tag]')?.dataset.tag === '100% birds'"))
    t.same(complaints, [])
  })

  t.test('on a phone, the navigation is folded until somebody searches or opens it', async (t) => {
    const { page } = await openPage(t, browser, { viewport: PHONE, isMobile: true })
    await page.goto(await servePage(300))
    const navigation = page.getByRole('navigation')
    const link = navigation.getByRole('link', { name: 'add 77' })
    const button = navigation.getByRole('button', { name: 'Operations' })
    await navigation.waitFor()
    t.equal(await link.isVisible(), false)
    await button.click()
    t.equal(await button.getAttribute('aria-expanded'), 'true')
    t.equal(await link.isVisible(), true)
    await button.click()
    t.equal(await link.isVisible(), false)
    await navigation.getByRole('searchbox').fill('add 77')
    await link.click()
    await waitUntil(async () => (await getFocused(page))?.id === 'operation77')
    await waitUntil(async () => (await getFocused(page))?.isInView)
    t.equal(await link.isVisible(), false)
    t.ok(await navigation.getByRole('searchbox').isVisible(), 'the search stays in view')
  })

  for (const viewport of [DESK, PHONE]) {
    t.test(`at ${viewport.width} pixels, everyone can read the navigation, and it is not printed`, async (t) => {
      const { page } = await openPage(t, browser, { viewport, isMobile: viewport === PHONE })
      await page.goto(await servePage(40))
      const navigation = page.getByRole('navigation')
      await checkReadable(t, page, 'folded')
      if (viewport === PHONE) await navigation.getByRole('button').click()
      await checkReadable(t, page, 'unfolded')
      await page.emulateMedia({ media: 'print' })
      t.equal(await navigation.isVisible(), false)
    })
  }
}

/** The operation that has the focus: its id, and whether its heading is in view and not covered. */
function getFocused(page: Page): Promise<{ id: string; isInView: boolean } | undefined> {
  return page.evaluate(`(() => {
    const id = document.activeElement?.querySelector('.opblock-summary-operation-id')?.textContent
    if (id === undefined) return undefined
    const { x, y, height } = document.activeElement.getBoundingClientRect()
    return { id, isInView: document.activeElement.contains(document.elementFromPoint(x + 50, y + height / 2)) }
  })()`)
}

/** An OpenAPI document of this many operations, half of them with each of two tags. */
function createDocument(count: number, more = ''): string {
  const paths = Array.from({ length: count }, (_, index) => {
    const [method, verb] = index % 2 === 0 ? ['get', 'list'] : ['post', 'add']
    const operation = {
      operationId: `operation${index}`,
      summary: `${verb} ${index}`,
      description: `The secret purpose of ${index}.`,
      tags: [index * 2 <= count ? 'Cats & dogs/all' : '100% birds'],
      responses: { 200: { description: 'Done.', content: { 'application/json': { schema: { type: 'string' } } } } },
    }
    return `  /path${index}: { ${method}: ${JSON.stringify(operation)} }\n`
  })
  return `openapi: 3.1.0\ninfo: { title: Many, version: 1.0.0 }\npaths:\n${paths.join('')}${more}\n`
}
