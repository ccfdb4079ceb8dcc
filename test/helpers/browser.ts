/**
 * A real browser, without a window, and the errors in it.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { findProgram, skipLoudly } from './program.ts'

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

/**
 * Returns a browser that sends no requests by itself, and that the tests of this process share; it is closed after them.
 * Without a browser, prints which tests are skipped.
 */
export async function openBrowser(what: string): Promise<Browser | undefined> {
  const executablePath = findChromium()
  if (executablePath === undefined) {
    const message = `NOT TESTED: ${what}; there is no browser: install chromium, or name one in CHROMIUM`
    return void skipLoudly(what, message)
  }
  browser ??= launch(executablePath)
  return browser
}

let browser: Promise<Browser> | undefined

async function launch(executablePath: string): Promise<Browser> {
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

/** Opens a page with a storage of its own; it is closed after the test. */
export async function openPage(t: Test, browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const page = await browser.newPage(options)
  t.teardown(() => page.close())
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  return { page, requests, complaints }
}

/** Starts an origin that has a page. */
export async function servePage(t: Test): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>A page</title>')
  })
  t.teardown(() => void server.close().closeAllConnections())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
