/** A real browser, without a window, and the errors in it. */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type ViewportSize,
} from 'playwright-core'
import t, { type Test } from 'tap'
import { findProgram, skipLoudly } from './program.ts'
import { TIMEOUT_MS } from './wait.ts'

/** The names of Chromium: on macOS, that of its application. */
const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'Google Chrome',
]

/** The path of a Chromium: the one that CHROMIUM names, or else one that is installed, if there is any. */
export function findChromium(): string | undefined {
  return process.env.CHROMIUM || NAMES.map((name) => findProgram(name)).find((path) => path !== undefined)
}

/** Starts a browser that sends no requests by itself. Without one, prints which tests are skipped. */
export async function openBrowser(what: string): Promise<Browser | undefined> {
  const executablePath = findChromium()
  if (executablePath === undefined) {
    const message = `NOT TESTED: ${what}; there is no browser: install chromium, or name one in CHROMIUM`
    return void skipLoudly(what, message)
  }
  const quiet = ['--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  const args = [...quiet, '--disable-gpu', '--disable-quic']
  // Chromium's sandbox does not work for root.
  if (process.getuid?.() === 0) args.push('--no-sandbox')
  const browser = await chromium.launch({ executablePath, args })
  t.teardown(() => browser.close())
  return browser
}

export interface WatchedPage {
  readonly page: Page
  /** The URL of every request that the page has sent. */
  readonly requests: readonly string[]
  /** Errors and warnings in the console, violations of the content security policy among them, and what was thrown. */
  readonly complaints: readonly string[]
}

export interface PageOptions extends BrowserContextOptions {
  /** By default, 1280 × 720. */
  readonly viewport?: ViewportSize
}

/** The contexts of the browser, by their options but for the size, which pages change. Pages of one context share compiled scripts. */
const contexts = new Map<string, Promise<BrowserContext>>()

/** The pages that no test uses, by the same options. A new page takes twice as long to load as one that has loaded another. */
const idlePages = new Map<string, Page[]>()

/** Opens a page with an empty storage; after the test, others may use it. Its cache has what pages with the same options have loaded. */
export async function openPage(t: Test, browser: Browser, options: PageOptions = {}): Promise<WatchedPage> {
  const { viewport = { width: 1280, height: 720 }, ...contextOptions } = options
  const name = JSON.stringify(contextOptions)
  const page = idlePages.get(name)?.pop() ?? (await createPage(browser, contextOptions, name))
  t.teardown(async () => {
    await resetPage(page)
    idlePages.set(name, [...(idlePages.get(name) ?? []), page])
  })
  await page.setViewportSize(viewport)
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  return { page, requests, complaints }
}

async function createPage(browser: Browser, options: BrowserContextOptions, name: string): Promise<Page> {
  if (!contexts.has(name)) contexts.set(name, browser.newContext(options))
  const page = await (contexts.get(name) as Promise<BrowserContext>).then((context) => context.newPage())
  page.setDefaultTimeout(TIMEOUT_MS)
  return page
}

/** Takes back what a test has done with a page, which then shows nothing, and waits for no response. */
async function resetPage(page: Page): Promise<void> {
  for (const event of ['request', 'pageerror', 'console']) page.removeAllListeners(event)
  await page.unrouteAll()
  // A page that shows nothing has no storage.
  await page.evaluate('localStorage.clear(); sessionStorage.clear()').catch(() => {})
  await page.emulateMedia({ media: null, colorScheme: null })
  await page.goto('about:blank')
}
