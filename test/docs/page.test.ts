/**
 * The documentation page in a browser: what it shows, what a person does with it, and who can read it; and the service as
 * pages of other origins use it.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Browser } from 'playwright-core'
import t, { type Test } from 'tap'
import { openBrowser, openPage } from '../helpers/browser.ts'
import { spec, startService } from '../helpers/service.ts'
import { waitForEvent } from '../helpers/wait.ts'
import {
  authorise,
  checkReadable,
  DESK,
  execute,
  operationsOn,
  PHONE,
  readParameter,
  readSample,
  serveDocs,
  textOf,
  unfold,
} from './page-steps.ts'

const browser = await openBrowser('the documentation page')
if (browser !== undefined) await tests(browser)

async function tests(browser: Browser): Promise<void> {
  // For the tests that look at the page as it is: the browser takes seconds to load it.
  const { origin, key, call } = await startService(t)
  const { page, requests, complaints } = await openPage(t, browser, { viewport: DESK })
  await page.goto(`${origin}/docs`)
  await page.locator('.opblock').first().waitFor()
  const { listPets, createPet, getPet } = operationsOn(page)

  t.test('the page with its first operation takes at most 900 kB', async (t) => {
    // With an empty cache.
    const page = await browser.newPage()
    t.teardown(() => page.close())
    await page.goto(`${origin}/docs`, { waitUntil: 'commit' })
    await page.locator('.opblock').first().waitFor()
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

  t.test('the page begins with a short introduction, authentication, the server and the contract', async (t) => {
    t.equal(await page.title(), 'Animal Store')
    t.match(await page.locator('.info').textContent(), 'List the animals, add one, or fetch one')
    const [first] = await page.locator('.opblock').all()
    t.ok(((await first?.boundingBox())?.y ?? Infinity) < 500, 'the first operation is in view')
    t.ok(await page.getByText('ask the operator of the service for one').isVisible())
    t.ok(await page.getByRole('heading', { name: 'Authentication' }).isVisible())
    t.ok(await page.getByText('Send the key as').isVisible())
    const [format, error] = [page.getByText('Bodies are JSON'), page.getByRole('cell', { name: 'insufficient_scope' })]
    await page.locator('.info summary', { hasText: 'Errors' }).click()
    t.same([await format.isVisible(), await error.isVisible()], [false, true], 'a name unfolds what it names')
    t.match(await page.locator('.server').textContent(), `Requests go to ${origin}/v1`)
    for (const name of ['openapi.yaml', 'openapi.json']) {
      t.equal(await page.getByRole('link', { name }).getAttribute('href'), `${origin}/docs/${name}`)
    }
    t.same(complaints, [])
  })

  t.test('parts of an introduction unfold by their headings, and authentication follows from the spec', async (t) => {
    const { page } = await openPage(t, browser)
    const text =
      '# Introduction\\n\\nBirds.\\n\\nAll of them.\\n\\n## Paging\\n\\nFollow links.\\n\\n```sh\\nls\\n\\n# All\\nls -a\\n```\\n\\n**Errors.** They have bodies.'
    const scheme = '{ type: apiKey, in: header, name: X-Key, description: Ask for one. }'
    await page.goto(
      await serveDocs(
        t,
        `{ openapi: 3.1.0, info: { title: Birds, version: 1.0.0, description: "${text}" }, security: [{ Key: [] }],
           paths: { /birds: { get: { responses: { 204: { description: None. } } } } },
           components: { securitySchemes: { Key: ${scheme} } } }`,
      ),
    )
    const info = page.locator('.info__description')
    await info.waitFor()
    const visible = (await info.innerText()).split(/\s*\n\s*/)
    t.same(visible, ['Birds.', 'More', 'Paging', 'Errors', 'Servers', 'Authentication', 'API key (Key). Ask for one.'])
    await info.getByText('Paging').click()
    t.ok(await info.getByText('Follow links.').isVisible())
    t.equal((await info.locator('pre').innerText()).trim(), 'ls\n\n# All\nls -a', 'a comment in code begins no part')
  })

  t.test('an operation fits on two screens: responses are folded, and so are their headers', async (t) => {
    await unfold(createPet)
    const height = (await createPet.boundingBox())?.height ?? Infinity
    t.ok(height < 2 * DESK.height, `${height} pixels`)
    const headers = createPet.locator('.headers').first()
    t.equal(await headers.isVisible(), false)
    t.equal(await createPet.getByText('RateLimit-Policy').first().isVisible(), true, 'a search in the page finds it')
    await createPet.getByText('7 headers').first().click()
    t.equal(await headers.isVisible(), true)
    const example = createPet.getByText('"content_too_large"')
    for (const isVisible of [true, false]) {
      t.equal(await example.isVisible(), !isVisible)
      await createPet.getByRole('button', { name: 'The body is too large.' }).click()
      t.equal(await example.isVisible(), isVisible)
    }
  })

  t.test('without scripts, the page leads to the spec', async (t) => {
    const { page } = await openPage(t, browser, { javaScriptEnabled: false })
    await page.goto(`${origin}/docs`)
    await page.getByRole('link', { name: 'openapi.yaml' }).click()
    t.equal((await page.request.get(`${origin}/docs/openapi.yaml`)).status(), 200)
  })

  t.test('what the spec says of parameters and operations is there in words', async (t) => {
    for (const operation of [listPets, createPet, getPet]) await unfold(operation)
    for (const [operation, name, text] of [
      [
        listPets,
        'limit',
        'limit integer (int32) (query) The maximum number of animals returned. Limits: 1 to 100. Default: 20.',
      ],
      [listPets, 'cursor', 'Limits: 1 to 64 characters.'],
      [listPets, 'status', 'Only animals with this status are returned. Limits: one of available, pending, sold.'],
      [createPet, 'Idempotency-Key', 'x-idempotency-ttl-seconds: 86400 (24 hours)'],
      [getPet, 'If-None-Match', 'For example "47DEQpj8HBSa'],
    ] as const) {
      t.match(await readParameter(operation, name), text)
    }
    for (const [operation, scope] of [
      [listPets, 'pets:read'],
      [createPet, 'pets:write'],
    ] as const) {
      t.match(await textOf(operation.locator('.opblock-description')), `Needs: ApiKey with the scope ${scope}.`)
    }
    // A required parameter is filled in, and an If-None-Match is not: the response would be empty.
    t.equal(await getPet.locator('[data-param-name="petId"] input').inputValue(), '1')
    t.equal(await getPet.locator('[data-param-name="If-None-Match"] input').inputValue(), '')
  })

  t.test('the dialogue for the key names the scopes, keeps the focus, and gives it back to its button', async (t) => {
    await page.getByRole('button', { name: 'Authorize' }).focus()
    for (const leave of ['Escape', 'Enter']) {
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      t.ok(await dialog.getByRole('heading', { name: 'API key (ApiKey)' }).isVisible())
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
    await unfold(createPet)
    const example = createPet.getByText('"content_too_large"')
    t.equal(await example.isVisible(), false)
    await page.emulateMedia({ media: 'print' })
    t.equal(await example.isVisible(), true)
    t.equal(await page.getByText('Bodies are JSON').isVisible(), true)
    const buttons = await page.locator('button:visible').evaluateAll((all) => all.map((each) => each.className))
    // Their texts are the names of operations and responses.
    const headings = ['opblock-summary-control', 'response-toggle', 'models-control']
    t.same([...new Set(buttons)].sort(), headings.sort())
    await page.emulateMedia({ media: 'screen' })
  })

  t.test('schemas have their names', async () => {
    await page.locator('.models-control').click()
    await page.getByRole('button', { name: 'Pets', exact: true }).click()
    await page.getByText('Animals, in ascending order of id.').first().waitFor()
  })

  t.test('a parameter that is not valid is said at the parameter, and not sent', async (t) => {
    await unfold(listPets)
    await listPets.locator('[data-param-name="limit"] input').fill('1000')
    await listPets.getByRole('button', { name: 'Execute' }).click()
    const message = await textOf(listPets.locator('[data-param-name="limit"]').getByRole('alert'))
    t.equal(message, 'Value must be less than or equal to 100.')
    t.notMatch(requests.join(' '), '/v1/')
  })

  t.test('a person tries operations out, over plain HTTP, with a key that is kept over a reload', async (t) => {
    const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    const outer = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
    const { origin, key, store } = await startService(t, { host: '0.0.0.0' })
    const site = `http://${outer}:${new URL(origin).port}`
    const { page, requests, complaints } = await openPage(t, browser)
    const { listPets, createPet } = operationsOn(page)
    await page.goto(site)
    t.equal(page.url(), `${site}/docs`)
    await unfold(listPets)
    t.match(await execute(listPets), { status: '401', body: '"code": "missing_key"' })
    await authorise(page, key)
    await unfold(createPet)
    t.match(await execute(createPet), { status: '201', body: '"name": "Rex"' })
    t.match(await store.pets.list({ after: 0n, limit: 2 }), [{ name: 'Rex' }])
    await page.reload()
    await unfold(listPets)
    t.match(await execute(listPets), { status: '200', body: '"name": "Rex"' })
    for (const name of ['Responses', 'Server response', 'Documented Responses']) {
      t.equal(await listPets.getByRole('heading', { name, exact: true }).count(), 1, name)
    }
    t.match(await textOf(listPets.locator('.live-responses-table')), 'cache-control: private, no-cache')
    t.equal(await page.locator('select:not(:has(option + option))').count(), 0, 'no choice of one')
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    t.notMatch(await page.evaluate('JSON.stringify(localStorage)'), key)

    t.ok(requests.includes(`${site}/docs/json`))
    t.ok(
      requests.every((url) => url.startsWith(`${site}/`)),
      'nothing comes from, or goes, elsewhere',
    )
    t.match(complaints, [/401/])
    t.equal(complaints.length, 1)
  })

  t.test('the link of a deprecated operation leads to what replaces it and until when it is there', async (t) => {
    const { headers } = await call('GET', '/v1/pets/1')
    const [, target] = /<([^>]+)>; rel="deprecation"/.exec(headers.link ?? '') ?? []
    const { page, complaints } = await openPage(t, browser)
    const { listPets, getPet } = operationsOn(page)
    await page.goto(`${origin}${target}`)
    t.match(
      await textOf(getPet.locator('.opblock-description')),
      'Deprecated since 20 November 2026. It is served until 5 December 2030, and may be removed after that. Use GET /pets instead.',
    )
    t.same(await getPet.locator('.badge').allTextContents(), ['deprecated, until 5 December 2030'], 'and not stable')
    t.match(await getPet.getAttribute('class'), 'opblock-deprecated')
    t.equal(await page.locator('.opblock-deprecated').count(), 1)
    t.equal(await listPets.locator('.opblock-body').count(), 0)

    await getPet.getByRole('link', { name: 'GET /pets' }).click()
    await listPets.locator('.responses-wrapper').waitFor()
    t.equal(new URL(page.url()).hash, '#/Animals/listPets', 'the link opens what replaces the operation')
    // Each link is one step back, and the last step leaves the page.
    for (const url of [`${origin}${target}`, 'about:blank']) {
      await page.goBack()
      t.equal(page.url(), url)
    }
    t.same(complaints, [])
  })

  t.test('integers beyond 2^53, own schemas of parameters, and those of a path are shown and sent', async (t) => {
    const petId = '- $ref: "#/components/parameters/PetIdInPath"\n'
    const source = [
      ['format: int64\n      minimum: 1\n', 'format: int64\n      minimum: 1\n      maximum: 9223372036854775807\n'],
      ['name: Rex\n                categoryId: 1\n', 'name: Rex\n                categoryId: 9007199254740993\n'],
      [`        ${petId}`, ''],
      ['  /pets/{petId}:\n', `  /pets/{petId}:\n    parameters:\n      ${petId}`],
      ['        minimum: 1\n        maximum: 100\n        default: 20', '        minimum: 5\n        default: 7'],
      ['example: 20\n', 'example: 9\n'],
    ].reduce((text, [from = '', to = '']) => text.replace(from, to), spec)
    const { origin, key, store } = await startService(t, { source })
    const { page, requests, complaints } = await openPage(t, browser)
    const { listPets, createPet, getPet } = operationsOn(page)
    await page.goto(`${origin}/docs`)
    await authorise(page, key)
    await unfold(listPets)
    t.match(await readParameter(listPets, 'limit'), 'Limits: at least 5. Default: 7.')

    await unfold(createPet)
    t.match(await textOf(createPet.locator('.responses-table .highlight-code')), '"categoryId": 9007199254740993')
    await createPet.locator('textarea').fill('{ "name": "Rex", "categoryId": -9223372036854775808 }')
    t.match(await execute(createPet), { body: '"categoryId": -9223372036854775808' })
    t.match(await store.pets.list({ after: 0n, limit: 2 }), [{ categoryId: -9223372036854775808n }])
    await page.locator('.models-control').click()
    await page.getByRole('button', { name: 'PetId', exact: true }).click()
    await page.locator('.models').getByText('1 to 9223372036854775807').waitFor()

    await unfold(getPet)
    t.match((await getPet.locator('.parameter__name').allTextContents()).join(), /^If-None-Match,petId\s\*$/)
    await getPet.locator('[data-param-name="petId"] input').fill('9223372036854775807')
    t.match(await execute(getPet), { status: '404', body: '"code": "animal_not_found"' })
    t.ok(requests.includes(`${origin}/v1/pets/9223372036854775807`))
    t.match(complaints, [/404/])
  })

  t.test('the page of a spec that has only what it must have is shown', async (t) => {
    const source = spec
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

  t.test('extensions beside paths and responses, and references in examples, hide no operation', async (t) => {
    const { page, complaints } = await openPage(t, browser)
    const example = '{ application/json: { schema: {}, example: { $ref: "#/100%" } } }'
    const responses = `{ x-note: null, "200": { description: Birds., content: ${example} } }`
    await page.goto(
      await serveDocs(
        t,
        `{ openapi: 3.1.0, info: { title: Birds, version: 1.0.0 },
           paths: { x-note: null, /birds: { get: { operationId: list, responses: ${responses},
             callbacks: { seen: { x-note: null, "{$request.query.url}": { post: { responses: ${responses} } } } } } } } }`,
      ),
    )
    const operation = page.locator('#operations-default-list')
    await unfold(operation)
    t.match(await textOf(operation.locator('.response-toggle')), 'Birds.')
    t.match(await readSample(operation, 'curl'), '/birds')
    t.match(await textOf(operation.locator('.response[data-code="200"]')), '#/100%')
    t.equal(await page.locator('.opblock').count(), 1)
    t.same(complaints, [])
  })

  t.test('webhooks and callbacks are shown, and a token that another server issues is entered and sent', async (t) => {
    const notice = '{ post: { responses: { "204": { description: Noted. } } } }'
    const flow = '{ clientCredentials: { tokenUrl: https://login.example/token, scopes: {} } }'
    const source = spec
      .replace(/type: http\n +scheme: bearer\n +bearerFormat: .*/, `type: oauth2\n      flows: ${flow}`)
      .replace('\ncomponents:', `\nwebhooks: { added: ${notice} }\ncomponents:`)
      .replace('      operationId: listPets\n', `$&      callbacks: { sold: { "{$request.query.url}": ${notice} } }\n`)
    const { origin, key } = await startService(t, { source })
    const { page, complaints } = await openPage(t, browser)
    const { listPets } = operationsOn(page)
    await page.goto(`${origin}/docs`)
    await authorise(page, key)
    await unfold(listPets)
    t.match(await readSample(listPets, 'curl'), 'Authorization: Bearer <TOKEN>')
    t.match(await execute(listPets), { status: '200' })
    await listPets.getByText('Callbacks').click()
    for (const name of ['{$request.query.url}', 'added']) {
      const operation = page.locator('.opblock', { hasText: name }).last()
      await operation.locator('.opblock-summary-control').click()
      t.match(await textOf(operation.locator('.response-toggle')), 'Noted.')
      t.equal(await operation.locator('.authorization__btn').count(), 0, 'it has no lock')
    }
    t.same(complaints, [])
  })

  t.test('if the spec cannot be loaded, the page says so', async (t) => {
    const { page } = await openPage(t, browser)
    await page.route('**/docs/json', (route) => route.abort())
    await page.goto(`${origin}/docs`)
    await page.getByText('Failed to load API definition').waitFor()
  })

  for (const viewport of [DESK, PHONE]) {
    t.test(`at ${viewport.width} pixels, everyone can read the page, in light and dark, un- and folded`, async (t) => {
      const { page } = await openPage(t, browser, { viewport, isMobile: viewport === PHONE })
      const check = (what: string) => checkReadable(t, page, what)
      await page.goto(`${origin}/docs`)
      await page.locator('.opblock').first().waitFor()
      await check('folded')
      await page.locator('.info summary').first().click()
      await authorise(page, key, () => check('the dialogue'))
      const operations = operationsOn(page)
      for (const operation of Object.values(operations)) await unfold(operation)
      await execute(operations.listPets)
      await page.locator('.models-control').click()
      await page.getByRole('button', { name: 'A parameter or the body is not valid' }).first().click()
      await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
      await page.getByRole('button', { name: 'Pets', exact: true }).click()
      await check('unfolded')
    })
  }

  t.test('a browser lets a page of a listed origin use the service, and no other', async (t) => {
    const [shop, other] = [await servePage(t), await servePage(t)]
    const service = await startService(t, { corsOrigins: [shop] })
    const story = async (origin: string) => {
      const { page } = await openPage(t, browser)
      await page.goto(origin)
      return page.evaluate(useService, [service.origin, service.key] as const)
    }
    const responses = await story(shop)
    t.match(responses, [
      { status: 201, headers: { location: '/v1/pets/1' }, body: { id: 1, name: 'Rex' } },
      { status: 200, headers: { link: /rel="next"/ } },
      { status: 200, headers: { deprecation: /^@/, sunset: /GMT$/ } },
      { status: 401, headers: { 'www-authenticate': /^Bearer/ }, body: { code: 'invalid_key' } },
      { status: 404 },
    ])
    t.ok(responses.every(({ headers }) => headers['x-request-id']))
    await t.rejects(story(other), /Failed to fetch/)
    t.equal((await service.store.pets.list({ after: 0n, limit: 100 })).length, 2, 'the other page has added nothing')
  })
}

/** Starts an origin that has a page. */
async function servePage(t: Test): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>A page</title>')
  })
  t.teardown(() => void server.close().closeAllConnections())
  server.listen(0, '127.0.0.1')
  await waitForEvent(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What a page does with the service; it runs in the browser, and knows nothing of this file. */
async function useService([base, key]: readonly [string, string]) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const read = async (path: string, init: object = {}) => {
    const response = await fetch(base + path, { headers, ...init })
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.json() }
  }
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
  const added = await read('/v1/pets', { method: 'POST', headers: { 'idempotency-key': '"1"', ...headers }, body })
  await read('/v1/pets', { method: 'POST', body })
  return [
    added,
    await read('/v1/pets?limit=1'),
    await read('/v1/pets/1'),
    await read('/v1/pets/1', { headers: { authorization: 'Bearer x' } }),
    // Its preflight succeeds, as for any path.
    await read('/nothing'),
  ]
}
