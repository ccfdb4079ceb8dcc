/**
 * What the documentation page shows.
 */
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import t from 'tap'
import { openBrowser, openPage } from '../helpers/browser.ts'
import { authorise, unfold } from '../helpers/docs-page.ts'
import { contractFile, startService } from '../helpers/service.ts'

const DESK = { width: 1280, height: 900 }

const browser = await openBrowser('what the documentation page shows')
if (browser !== undefined) await tests(browser)

async function tests(browser: Browser): Promise<void> {
  // For the tests that look at the page as it is: the browser takes seconds to load it.
  const { origin } = await startService(t)
  const { page, requests, complaints } = await openPage(t, browser, { viewport: DESK })
  await page.goto(`${origin}/docs`)
  await page.locator('.opblock').first().waitFor()

  t.test('the first operation is there within 1.5 s and 900 kB', async (t) => {
    const { page } = await openPage(t, browser)
    const devtools = await page.context().newCDPSession(page)
    // The time of the thread, which does not depend on what else this machine does.
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.goto(`${origin}/docs`, { waitUntil: 'commit' })
    await page.locator('.opblock').first().waitFor()
    const { metrics } = await devtools.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Infinity
    t.ok(seconds < 1.5, `${seconds} s`)
    const sizes =
      "['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type)).map((one) => one.transferSize)"
    const bytes = ((await page.evaluate(sizes)) as number[]).reduce((sum, size) => sum + size, 0)
    t.ok(bytes > 300_000 && bytes < 900_000, `${bytes} bytes`)
  })

  t.test('the colours follow the setting of the system', async (t) => {
    const getBackground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    t.equal(await getBackground(), 'rgb(247, 246, 243)')
    await page.emulateMedia({ colorScheme: 'dark' })
    t.equal(await getBackground(), 'rgb(18, 21, 24)')
    await page.emulateMedia({ colorScheme: 'light' })
  })

  t.test('the page begins with a short introduction, the server and the contract, and folds the rest', async (t) => {
    t.equal(await page.title(), 'Animal Store')
    t.match(await page.locator('.info').textContent(), 'List the animals, add one, or fetch one')
    const [first] = await page.locator('.opblock').all()
    t.ok(((await first?.boundingBox())?.y ?? Infinity) < 500, 'the first operation is in view')
    t.equal(await page.getByText('Every operation requires an API key').isVisible(), false)
    await page.locator('.info summary').click()
    t.equal(await page.getByText('Every operation requires an API key').isVisible(), true)
    t.match(await page.locator('.server').textContent(), `Requests go to ${origin}/v1`)
    for (const name of ['openapi.yaml', 'openapi.json']) {
      t.equal(await page.getByRole('link', { name }).getAttribute('href'), `${origin}/docs/${name}`)
    }
    t.same(complaints, [])
  })

  t.test('an operation fits on two screens: responses are folded, and so are their headers', async (t) => {
    await unfold(page, 'createPet')
    const operation = page.locator('#operations-Animals-createPet')
    const height = (await operation.boundingBox())?.height ?? Infinity
    t.ok(height < 2 * DESK.height, `${height} pixels`)
    t.equal(await operation.locator('.headers').first().isVisible(), false)
    await operation.getByText('7 headers').first().click()
    t.equal(await operation.locator('.headers').first().isVisible(), true)
    const example = operation.getByText('"content_too_large"')
    t.equal(await example.isVisible(), false)
    await operation.getByRole('button', { name: 'The body is too large.' }).click()
    t.equal(await example.isVisible(), true)
    await operation.getByRole('button', { name: 'The body is too large.' }).click()
    t.equal(await example.isVisible(), false)
  })

  t.test('limits and defaults stand at each parameter, also those of its own schema', async (t) => {
    await unfold(page, 'listPets')
    t.match(await readParameter(page, 'listPets', 'limit'), 'Limits: 1 to 100, default 20.')
    t.match(await readParameter(page, 'listPets', 'cursor'), 'Limits: 1 to 64 characters.')
    t.match(await readParameter(page, 'listPets', 'status'), 'Limits: one of available, pending, sold.')
    const source = readFileSync(contractFile, 'utf8')
      .replace(
        'schema:\n        $ref: "#/components/schemas/Limit"',
        'schema: { type: integer, minimum: 5, default: 7 }',
      )
      .replace('example: 20\n', 'example: 9\n')
    const own = await startService(t, { source })
    const { page: ownPage } = await openPage(t, browser)
    await ownPage.goto(`${own.origin}/docs`)
    await unfold(ownPage, 'listPets')
    t.match(await readParameter(ownPage, 'listPets', 'limit'), 'Limits: at least 5, default 7.')
  })

  t.test('each operation shows the scopes that it needs', async (t) => {
    for (const [id, scope] of [
      ['listPets', 'pets:read'],
      ['createPet', 'pets:write'],
    ] as const) {
      await unfold(page, id)
      const description = page.locator(`#operations-Animals-${id} .opblock-description`)
      t.match(await description.textContent(), `Needs: ApiKey with the scope ${scope}.`)
    }
  })

  t.test('no If-None-Match is sent unless a person enters one', async (t) => {
    await unfold(page, 'getPet')
    const operation = page.locator('#operations-Animals-getPet')
    t.equal(await operation.locator('[data-param-name="If-None-Match"] input').inputValue(), '')
    t.equal(await operation.locator('[data-param-name="petId"] input').inputValue(), '1', 'a required one is filled in')
    t.match(await readParameter(page, 'getPet', 'If-None-Match'), 'For example "47DEQpj8HBSa')
  })

  t.test('the time to live of an Idempotency-Key is in words', async (t) => {
    await unfold(page, 'createPet')
    t.match(await readParameter(page, 'createPet', 'Idempotency-Key'), 'x-idempotency-ttl-seconds: 86400 (24 hours)')
  })

  t.test('the dialogue for the key names the scopes, keeps the focus, and gives it back to its button', async (t) => {
    const button = page.getByRole('button', { name: 'Authorize' })
    await button.focus()
    for (const leave of ['Escape', 'Enter']) {
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      t.match(await dialog.textContent(), /pets:read: listPets, getPet\s+pets:write: createPet/)
      t.equal(await dialog.locator('input:focus').count(), 1)
      for (let count = 0; count < 10; count++) {
        await page.keyboard.press(leave === 'Escape' ? 'Tab' : 'Shift+Tab')
        t.equal(await dialog.locator(':focus').count(), 1)
      }
      if (leave === 'Enter') await dialog.getByRole('button', { name: 'Close' }).last().focus()
      await page.keyboard.press(leave)
      await dialog.waitFor({ state: 'detached' })
      t.match(await page.evaluate('document.activeElement.className'), 'authorize')
    }
  })

  t.test('print shows the responses of an operation, and no buttons', async (t) => {
    await unfold(page, 'createPet')
    const operation = page.locator('#operations-Animals-createPet')
    const example = operation.getByText('"content_too_large"')
    t.equal(await example.isVisible(), false)
    await page.emulateMedia({ media: 'print' })
    t.equal(await example.isVisible(), true)
    t.equal(await page.getByText('Every operation requires an API key').isVisible(), true)
    const buttons = await page.locator('button:visible').evaluateAll((all) => all.map((each) => each.className))
    // Their texts are those of the operations and responses.
    const headings = ['opblock-summary-control', 'response-toggle', 'models-control']
    t.same([...new Set(buttons)].sort(), headings.sort())
    await page.emulateMedia({ media: 'screen' })
  })

  t.test('integers beyond 2^53 are shown and sent exactly', async (t) => {
    const source = readFileSync(contractFile, 'utf8')
      .replace(
        'format: int64\n      minimum: 1\n',
        'format: int64\n      minimum: 1\n      maximum: 9223372036854775807\n',
      )
      .replace(
        'name: Rex\n                categoryId: 1\n',
        'name: Rex\n                categoryId: 9007199254740993\n',
      )
    const { origin, key, store } = await startService(t, { source })
    const { page, requests, complaints } = await openPage(t, browser)
    await page.goto(`${origin}/docs`)
    await authorise(page, key)
    await unfold(page, 'createPet')
    const added = page.locator('#operations-Animals-createPet')
    const example = (await added.locator('.responses-table .highlight-code').first().textContent()) ?? ''
    t.match(example, '"categoryId": 9007199254740993', 'in an example')
    await added.locator('textarea').fill('{ "name": "Rex", "categoryId": -9223372036854775808 }')
    await added.getByRole('button', { name: 'Execute' }).click()
    const body = added.locator('.live-responses-table .highlight-code code')
    await body.waitFor()
    t.match(await body.textContent(), '"categoryId": -9223372036854775808', 'in a response')
    t.match(await store.pets.list({ after: 0n, limit: 2 }), [{ categoryId: -9223372036854775808n }])
    await page.locator('.models-control').click()
    await page.getByRole('button', { name: 'PetId', exact: true }).click()
    await page.getByText('1 to 9223372036854775807').waitFor()
    await unfold(page, 'getPet')
    const fetched = page.locator('#operations-Animals-getPet')
    await fetched.locator('input').first().fill('9223372036854775807')
    await fetched.getByRole('button', { name: 'Execute' }).click()
    await fetched.locator('.live-responses-table').waitFor()
    t.ok(requests.includes(`${origin}/v1/pets/9223372036854775807`), 'in a path')
    t.match(await fetched.locator('.live-responses-table').textContent(), '"code": "animal_not_found"')
    t.match(complaints, [/404/])
  })

  t.test('an operation shows and sends the parameters of its path', async (t) => {
    const petId = '- $ref: "#/components/parameters/PetId"\n'
    const source = readFileSync(contractFile, 'utf8')
      .replace(`        ${petId}`, '')
      .replace('  /pets/{petId}:\n', `  /pets/{petId}:\n    parameters:\n      ${petId}`)
    const { origin, key } = await startService(t, { source })
    const { page, requests } = await openPage(t, browser)
    await page.goto(`${origin}/docs`)
    await authorise(page, key)
    await unfold(page, 'getPet')
    const operation = page.locator('#operations-Animals-getPet')
    const names = await operation.locator('.parameter__name').allTextContents()
    t.match(names.join(), /^If-None-Match,petId\s\*$/)
    await operation.locator('[data-param-name="petId"] input').fill('7')
    await operation.getByRole('button', { name: 'Execute' }).click()
    await operation.locator('.live-responses-table').waitFor()
    t.ok(requests.includes(`${origin}/v1/pets/7`))
  })

  t.test('schemas have their names', async (t) => {
    await page.locator('.models-control').click()
    await page.getByRole('button', { name: 'Pets', exact: true }).click()
    await page.getByText('Animals, in ascending order of id.').first().waitFor()
    await unfold(page, 'listPets')
    const operation = page.locator('#operations-Animals-listPets')
    await operation.getByRole('tab', { name: 'Schema' }).first().click()
    t.match(await operation.locator('.model-box').first().textContent(), /^Pets/)
  })

  t.test('a parameter that is not valid is said at the parameter', async (t) => {
    await unfold(page, 'listPets')
    const operation = page.locator('#operations-Animals-listPets')
    await operation.locator('[data-param-name="limit"] input').fill('1000')
    await operation.getByRole('button', { name: 'Execute' }).click()
    const message = operation.locator('[data-param-name="limit"]').getByRole('alert')
    await message.waitFor()
    t.equal(await message.textContent(), 'Value must be less than or equal to 100.')
    t.same(
      requests.filter((url) => url.includes('/v1/')),
      [],
    )
  })

  t.test('the page of a spec that has only what it must have is shown', async (t) => {
    const source = readFileSync(contractFile, 'utf8')
      .replace(/ {2}summary: .*\n {2}license:\n.*\n.*\n {2}description: \|\n[\s\S]*?(?=\nservers:)/, '')
      .replace(/^tags:\n(?: .*\n)+/m, '')
      .replaceAll(/^ {6}(?:summary|tags|x-stability-level): .*\n/gm, '')
    const { origin, contract } = await startService(t, { source })
    const { page, complaints } = await openPage(t, browser)
    await page.goto(`${origin}/docs#/default/createPet`)
    await page.locator('#operations-default-createPet .responses-wrapper').waitFor()
    t.equal(await page.locator('.opblock').count(), contract.operations.length)
    t.notMatch(await page.locator('#swagger-ui').textContent(), /undefined|null/)
    t.same(complaints, [])
  })

  t.test('if the spec cannot be loaded, the page says so', async (t) => {
    const { page } = await openPage(t, browser)
    await page.route('**/docs/json', (route) => route.abort())
    await page.goto(`${origin}/docs`)
    await page.getByText('Failed to load API definition').waitFor()
  })
}

/** Reads what the page says of a parameter. */
async function readParameter(page: Page, operationId: string, name: string): Promise<string> {
  const row = page.locator(`#operations-Animals-${operationId} [data-param-name="${name}"]`)
  return ((await row.textContent()) ?? '').replaceAll(/\s+/g, ' ')
}
