/** What a person does on the documentation page, and reads on it. */
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import type { Test } from 'tap'
import { addDocs } from '../../src/http/docs.ts'
import { waitForEvent } from '../helpers/wait.ts'
import { createHost, load } from '../openapi/layer.ts'

export const DESK = { width: 1280, height: 900 }
export const PHONE = { width: 390, height: 844 }

export function operationsOn(page: Page) {
  const find = (id: string) => page.locator(`#operations-Animals-${id}`)
  return { listPets: find('listPets'), createPet: find('createPet'), getPet: find('getPet') }
}

/** Gives the page a key, as a person does; calls `look` while the dialogue is open. */
export async function authorise(page: Page, key: string, look?: () => Promise<unknown>): Promise<void> {
  await page.getByRole('button', { name: 'Authorize' }).click()
  const dialog = page.locator('.dialog-ux')
  await dialog.getByRole('textbox').fill(key)
  await look?.()
  await dialog.getByRole('button', { name: 'Apply credentials' }).click()
  await dialog.getByRole('button', { name: 'Close' }).first().click()
}

/** Unfolds an operation, unless it is. */
export async function unfold(operation: Locator): Promise<void> {
  const content = operation.locator('.responses-wrapper')
  // A click would wait until two frames have the button in one place. On a busy machine, that has taken over five minutes.
  if (!(await content.isVisible())) await operation.locator('.opblock-summary-control').dispatchEvent('click')
  await content.waitFor()
}

/** Executes an operation with what the page has filled in, and reads off what came back. */
export async function execute(operation: Locator): Promise<{ status: string; body: string }> {
  await operation.getByRole('button', { name: 'Execute' }).click()
  const response = operation.locator('.live-responses-table .response')
  return {
    status: (await textOf(response.locator('.response-col_status'))).trim(),
    body: await textOf(response.locator('.highlight-code code')),
  }
}

/** The text of something, once it can be seen. */
export async function textOf(locator: Locator): Promise<string> {
  await locator.first().waitFor()
  return (await locator.first().textContent()) ?? ''
}

/** Reads what the page says of a parameter. */
export async function readParameter(operation: Locator, name: string): Promise<string> {
  return (await operation.locator(`[data-param-name="${name}"]`).innerText()).replaceAll(/\s+/g, ' ')
}

/** The sample of an operation in a language. */
export async function readSample(operation: Locator, language: string): Promise<string> {
  const sample = operation.locator('.sample')
  await sample.getByRole('radio', { name: language, exact: true }).dispatchEvent('click')
  return textOf(sample.locator('code'))
}

/** The servers that no test uses. A browser keeps the compiled scripts of their origins, which take most of the time to load a page. */
const idleServers: Server[] = []

/** Serves the documentation page of an OpenAPI document, without its operations. */
export async function serveDocs(t: Test, source: string): Promise<string> {
  const app = createHost(t)
  addDocs(app, { document: await load(t, source), servers: {}, publicPath: '', publicBasePath: '' })
  await app.ready()
  const server = idleServers.pop() ?? (await startServer())
  server.on('request', app.routing)
  t.teardown(() => {
    server.off('request', app.routing)
    idleServers.push(server)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs`
}

/** Starts a server, which ends with this process. */
async function startServer(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1').unref()
  await waitForEvent(server, 'listening')
  return server
}

/** Checks that everyone can read the page as it is, in light and dark, and that nothing is wider than the screen. */
export async function checkReadable(t: Test, page: Page, what: string): Promise<void> {
  if (await page.evaluate("typeof axe === 'undefined'")) {
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // Colours change gradually.
    await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))')
    t.same(await findViolations(page, colorScheme), [], `${what}, in ${colorScheme}`)
    const width = await page.evaluate('document.documentElement.scrollWidth')
    t.equal(width, page.viewportSize()?.width, `nothing is wider than the screen, ${what}, in ${colorScheme}`)
  }
}

/**
 * Finds the serious and critical violations of accessibility, and of headings and landmarks, as `rule: element`; in the dark,
 * those of the colours.
 */
async function findViolations(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  const options =
    colorScheme === 'dark' ? "{ resultTypes: ['violations'], runOnly: 'cat.color' }" : "{ resultTypes: ['violations'] }"
  const { violations } = (await page.evaluate(`axe.run(${options})`)) as {
    violations: { id: string; impact: string; nodes: { target: string[] }[] }[]
  }
  return violations
    .filter(({ id, impact }) => /^(serious|critical)$/.test(impact) || /^(heading-order|region)$/.test(id))
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
