/**
 * What the documentation page shows.
 */
import { readFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
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
  await page.locator('#swagger-ui .opblock').first().waitFor()

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
    t.notMatch(await page.locator('.info').textContent(), 'Authentication')
    const [first] = await page.locator('.opblock').all()
    t.ok(((await first?.boundingBox())?.y ?? Infinity) < 500, 'the first operation is in view')
    t.equal(await page.getByText('Every operation requires an API key').isVisible(), false)
    await page.locator('.conventions summary').click()
    t.equal(await page.getByText('Every operation requires an API key').isVisible(), true)
    t.match(await page.locator('.server').textContent(), `Requests go to ${origin}/v1`)
    t.equal(await page.getByRole('link', { name: 'openapi.yaml' }).getAttribute('href'), `${origin}/docs/openapi.yaml`)
    t.same(complaints, [])
  })

  t.test('an operation fits on two screens: responses are folded, and so are their headers', async (t) => {
    await unfold(page, 'createPet')
    const operation = page.locator('#operations-Animals-createPet')
    const height = (await operation.boundingBox())?.height ?? Infinity
    t.ok(height < 2 * DESK.height, `${height} pixels`)
    t.equal(await operation.locator('.headers').first().isVisible(), false)
    await operation.getByText('7 headers').click()
    t.equal(await operation.locator('.headers').first().isVisible(), true)
    await operation.getByRole('button', { name: 'The body is too large.' }).click()
    t.match(await operation.textContent(), '"content_too_large"')
    await operation.getByRole('button', { name: 'The body is too large.' }).click()
    t.notMatch(await operation.textContent(), '"content_too_large"')
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
    const example = (await added.locator('.responses-table .highlight-code').textContent()) ?? ''
    t.match(example, '"categoryId": 9007199254740993', 'in an example')
    await added.locator('textarea').fill('{ "name": "Rex", "categoryId": -9223372036854775808 }')
    await added.getByRole('button', { name: 'Execute' }).click()
    const body = added.locator('.live-responses-table .highlight-code code')
    await body.waitFor()
    t.match(await body.textContent(), '"categoryId": -9223372036854775808', 'in a response')
    t.match(await store.pets.list({ after: 0n, limit: 2 }), [{ categoryId: -9223372036854775808n }])
    await page.locator('.models-control').click()
    t.match(await page.locator('section.models').textContent(), '≤ 9223372036854775807', 'in a schema')
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
    const models = page.locator('section.models')
    t.match(await models.textContent(), /PetsExpand all.*?Pet\[\]/)
    t.notMatch(await models.textContent(), 'array<')
    await unfold(page, 'listPets')
    const operation = page.locator('#operations-Animals-listPets')
    await operation.getByRole('tab', { name: 'Schema' }).click()
    t.match(await operation.locator('.model-box').textContent(), /^Pets.*Pet\[\]/)
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

  t.test('a request that cannot be sent says why', async (t) => {
    const { origin, stop } = await startService(t)
    const { page } = await openPage(t, browser)
    await page.goto(`${origin}/docs`)
    await unfold(page, 'listPets')
    const operation = page.locator('#operations-Animals-listPets')
    const execute = async () => {
      await operation.getByRole('button', { name: 'Execute' }).click()
      const details = operation.locator('.live-responses-table .response-col_description').last()
      await details.getByText('could not be sent').waitFor()
      return ((await details.textContent()) ?? '').replaceAll(/\s+/g, ' ').trim()
    }
    await operation.locator('[data-param-name="If-None-Match"] input').fill('"мир"')
    t.match(await execute(), /^The request could not be sent: TypeError: .*ISO-8859-1/)
    await operation.getByRole('button', { name: 'Clear' }).click()
    await operation.locator('[data-param-name="If-None-Match"] input').fill('"1"')
    await stop()
    t.equal(
      await execute(),
      `The request could not be sent: nothing came back from ${origin}. The service may be stopped, or the network down.`,
    )
    await operation.getByRole('button', { name: 'Clear' }).click()
    await page.context().setOffline(true)
    t.equal(await execute(), 'The request could not be sent: this device is offline.')
  })
}
