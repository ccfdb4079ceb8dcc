/**
 * Everyone can read the documentation page: in light and dark, on a desk and on a phone.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import t from 'tap'
import { openBrowser, openPage } from '../helpers/browser.ts'
import { authorise, unfold } from '../helpers/docs-page.ts'
import { startService } from '../helpers/service.ts'

const DESK = { width: 1280, height: 900 }
const PHONE = { width: 390, height: 844 }
const OPERATIONS = ['listPets', 'createPet', 'getPet']

const browser = await openBrowser('the accessibility of the documentation page')
if (browser !== undefined) await tests(browser)

async function tests(browser: Browser): Promise<void> {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

  /** Finds the serious and critical violations of accessibility, as `rule: element`. */
  async function findViolations(page: Page): Promise<string[]> {
    await page.evaluate(axe)
    const { violations } = (await page.evaluate('axe.run()')) as {
      violations: { id: string; impact: string; nodes: { target: string[] }[] }[]
    }
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
  }

  for (const viewport of [DESK, PHONE]) {
    t.test(
      `at ${viewport.width} pixels, everyone can read the page in light and dark, folded and unfolded`,
      async (t) => {
        const { origin, key } = await startService(t)
        const { page } = await openPage(t, browser, { viewport, isMobile: viewport === PHONE })
        const check = async (what: string) => {
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme })
            // Colours change gradually.
            await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))')
            t.same(await findViolations(page), [], `${what}, in ${colorScheme}`)
          }
        }
        await page.goto(`${origin}/docs`)
        await page.locator('.opblock').first().waitFor()
        await check('folded')
        await page.locator('.info summary').click()
        await authorise(page, key, () => check('the dialogue'))
        for (const operation of OPERATIONS) await unfold(page, operation)
        await page.locator('#operations-Animals-listPets').getByRole('button', { name: 'Execute' }).click()
        await page.locator('.live-responses-table').waitFor()
        await page.locator('.models-control').click()
        await page.getByRole('button', { name: 'A parameter or the body is not valid' }).first().click()
        await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
        await page.getByRole('button', { name: 'Pets', exact: true }).click()
        await check('unfolded')
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          const width = await page.evaluate('document.documentElement.scrollWidth')
          t.equal(width, viewport.width, `nothing is wider than the screen, in ${colorScheme}`)
        }
      },
    )
  }
}
