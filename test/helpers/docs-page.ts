/**
 * The documentation page as a person uses it.
 */
import type { Page } from 'playwright-core'

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
export async function unfold(page: Page, operationId: string): Promise<void> {
  const operation = page.locator(`#operations-Animals-${operationId}`)
  const content = operation.locator('.responses-wrapper')
  if (!(await content.isVisible())) await operation.locator('.opblock-summary-control').click()
  await content.waitFor()
}
