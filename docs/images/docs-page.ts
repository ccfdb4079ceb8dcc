/**
 * Takes the pictures of the documentation page, of a service at the URL that is the argument.
 */
import { join } from 'node:path'
import { type BrowserContextOptions, chromium } from 'playwright-core'
import { findChromium } from '../../test/helpers/browser.ts'

const [origin = 'http://127.0.0.1:3000'] = process.argv.slice(2)

/** The name of each picture, the operation that is unfolded, whether the page is at its top, and how it is seen. */
const PICTURES: [name: string, operation: string, isTop: boolean, options: BrowserContextOptions][] = [
  ['docs-page', 'listPets', true, { viewport: { width: 1280, height: 1000 }, colorScheme: 'light' }],
  ['docs-page-phone', 'getPet', false, { viewport: { width: 390, height: 844 }, isMobile: true, colorScheme: 'dark' }],
]

// Chromium's sandbox does not work for root.
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath: findChromium() ?? 'chromium', args })
for (const [name, operation, isTop, options] of PICTURES) {
  const page = await browser.newPage(options)
  await page.goto(`${origin}/docs#/Animals/${operation}`)
  await page.locator('.responses-wrapper').waitFor()
  // The page scrolls to the operation by itself.
  await page.waitForTimeout(1500)
  // Without the frame of the focus.
  await page.evaluate('document.activeElement.blur()')
  if (isTop) await page.evaluate('scrollTo(0, 0)')
  await page.screenshot({ path: join(import.meta.dirname, `${name}.png`) })
  await page.close()
}
await browser.close()
