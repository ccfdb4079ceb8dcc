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

/** Unfolds an operation. */
export async function unfold(page: Page, operationId: string): Promise<void> {
  await page.locator(`#operations-Animals-${operationId} .opblock-summary-control`).click()
  await page.locator(`#operations-Animals-${operationId} .responses-wrapper`).waitFor()
}
