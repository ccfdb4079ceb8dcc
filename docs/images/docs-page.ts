/**
 * Takes the pictures of the documentation page, of a service at the URL that is the argument.
 */
import { join } from 'node:path'
import { type BrowserContextOptions, chromium } from 'playwright-core'
import { findChromium } from '../../test/helpers/browser.ts'

const [origin = 'http://127.0.0.1:3000'] = process.argv.slice(2)
const desk = { viewport: { width: 1280, height: 720 } }
const phone = { viewport: { width: 390, height: 844 }, isMobile: true }

/** The name of each picture, what is unfolded in it, and how it is seen. */
const PICTURES: [name: string, hash: string, options: BrowserContextOptions][] = [
  ['docs-page', '', { ...desk, colorScheme: 'light' }],
  ['docs-page-dark', '', { ...desk, colorScheme: 'dark' }],
  [
    'docs-page-operation',
    '#/Animals/getPet',
    { ...desk, viewport: { width: 1280, height: 1000 }, colorScheme: 'light' },
  ],
  ['docs-page-phone-dark', '#/Animals/getPet', { ...phone, colorScheme: 'dark' }],
]

// Chromium's sandbox does not work for root.
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath: findChromium() ?? 'chromium', args })
for (const [name, hash, options] of PICTURES) {
  const page = await browser.newPage(options)
  await page.goto(`${origin}/docs${hash}`)
  await page
    .locator(hash === '' ? '#swagger-ui .opblock' : '.responses-wrapper')
    .first()
    .waitFor()
  if (hash !== '') {
    // The page scrolls to the operation by itself.
    await page.waitForTimeout(1500)
  }
  await page.screenshot({ path: join(import.meta.dirname, `${name}.png`) })
  await page.close()
}
await browser.close()
