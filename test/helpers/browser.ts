/**
 * A real browser, without a window, and what goes wrong in it.
 */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { Test } from 'tap'

/** What a Chromium is called: on Linux on the PATH, on macOS at its place. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
const PLACES = ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome']

/** The path of a Chromium: the one that CHROMIUM names, or else one that is installed, if there is any. */
export function findChromium(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env
  if (CHROMIUM) return CHROMIUM
  return [...PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES].find(
    isProgram,
  )
}

/** Starts a browser that calls nobody by itself; it is closed after the test. */
export async function openBrowser(t: Test, executablePath: string): Promise<Browser> {
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

/** A page of its own, with a storage of its own. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const page = await browser.newPage(options)
  const requests: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  return { page, requests, complaints }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
