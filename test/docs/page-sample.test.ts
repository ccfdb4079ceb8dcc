/** The sample of an operation on the documentation page: programs that send what is typed, in four languages. */
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Locator } from 'playwright-core'
import t, { type Test } from 'tap'
import { addDocs } from '../../src/http/docs.ts'
import { generateClientTypes } from '../../src/openapi/generate/client.ts'
import { openBrowser, openPage } from '../helpers/browser.ts'
import { outsideTestRunner } from '../helpers/process.ts'
import { startService } from '../helpers/service.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'
import { createLayer, load } from '../openapi/layer.ts'
import { authorise, DESK, execute, operationsOn, readSample, textOf, unfold } from './page-steps.ts'
import { root } from './pages.ts'

const run = promisify(execFile)

/** The languages of samples, with the name of a file and the command that runs it. */
const LANGUAGES = {
  curl: { extension: 'sh', command: ['sh', '-c'] },
  JavaScript: { extension: 'mjs', command: [process.execPath] },
  Python: { extension: 'py', command: ['python3'] },
  TypeScript: { extension: 'ts', command: [process.execPath] },
} as const

const browser = await openBrowser('the samples of the documentation page')
if (browser !== undefined) await tests(browser)

async function tests(browser: Browser): Promise<void> {
  // One for all tests: the browser keeps the scripts of an origin.
  const { origin, key } = await startService(t)

  t.test('the sample of each operation calls it, in four languages', async (t) => {
    const { page, complaints } = await openPage(t, browser)
    const { listPets, createPet, getPet } = operationsOn(page)
    const { runSample, compile } = createProject(t, readFileSync(join(root, 'generated/openapi.d.ts'), 'utf8'))
    await page.goto(`${origin}/docs`)
    for (const [operation, status] of [
      [createPet, 201],
      [listPets, 200],
      [getPet, 200],
    ] as const) {
      await unfold(operation)
      for (const language of Object.keys(LANGUAGES) as Language[]) {
        const sample = await readSample(operation, language)
        const output = await runSample(language, sample.replace('<API_KEY>', key))
        t.match(output, new RegExp(`^(HTTP/1.1 )?${status} [^]*"name":"Rex"`), `${language} ${status}`)
        t.match(await runSample(language, sample), /^(HTTP\/1.1 )?401 .*invalid_key/s, `${language} without a key`)
      }
    }
    t.equal(await compile(), '')
    t.same(complaints, [])
  })

  t.test('at 1280 pixels, the sample is beside the text, and stays while the text is scrolled', async (t) => {
    const { page } = await openPage(t, browser, { viewport: DESK })
    const { createPet } = operationsOn(page)
    await page.goto(`${origin}/docs`)
    await unfold(createPet)
    const sample = createPet.locator('.sample')
    const getBox = async (locator: Locator) => {
      const box = await locator.boundingBox()
      if (box === null) throw new Error('it is not shown')
      return box
    }
    const text = await getBox(createPet.locator('.responses-wrapper'))
    t.ok((await getBox(sample)).x >= text.x + text.width)
    await page.mouse.wheel(0, text.y)
    await waitUntil(async () => (await getBox(createPet.locator('.responses-wrapper'))).y < DESK.height / 2)
    t.ok((await getBox(sample)).y >= 0)
  })

  t.test('the sample follows what is typed', async (t) => {
    const { page } = await openPage(t, browser)
    const { listPets, createPet, getPet } = operationsOn(page)
    await page.goto(`${origin}/docs`)
    await unfold(createPet)
    await createPet.locator('textarea').fill('{ "name": "Web\'s",\n "categoryId": 9007199254740993 }')
    await expectSample(createPet, 'curl', `--data-raw '{"name":"Web'\\''s","categoryId":9007199254740993}'`)
    await expectSample(createPet, 'JavaScript', `body: '{"name":"Web\\'s","categoryId":9007199254740993}'`)
    await expectSample(createPet, 'Python', `data='{"name":"Web\\'s","categoryId":9007199254740993}'.encode()`)
    await expectSample(createPet, 'TypeScript', `body: { name: 'Web\\'s', categoryId: 9007199254740993n }`)
    await createPet.locator('textarea').fill('{ "name": "Web')
    await expectSample(createPet, 'TypeScript', `body: '{"name":"Web' as never`)

    await unfold(listPets)
    await listPets.locator('[data-param-name="limit"] input').fill('7')
    await listPets.locator('[data-param-name="status"] select').selectOption('sold')
    await expectSample(listPets, 'curl', `'${origin}/v1/pets?limit=7&status=sold'`)
    await expectSample(listPets, 'TypeScript', "query: { limit: 7, status: 'sold' }")

    await unfold(getPet)
    await getPet.locator('[data-param-name="petId"] input').fill('9223372036854775807')
    await expectSample(getPet, 'curl', `'${origin}/v1/pets/9223372036854775807'`)
    await expectSample(getPet, 'TypeScript', 'path: { petId: 9223372036854775807n }')
    await getPet.locator('[data-param-name="petId"] input').fill('')
    await expectSample(getPet, 'curl', `'${origin}/v1/pets/0'`)
  })

  t.test(
    'the sample has an Idempotency-Key for this request, which a program makes up, or the one that is typed',
    async (t) => {
      const { page } = await openPage(t, browser)
      const { createPet } = operationsOn(page)
      await page.goto(`${origin}/docs`)
      await unfold(createPet)
      const readKey = async () => /Idempotency-Key: ([0-9a-f-]{36})'/.exec(await readSample(createPet, 'curl'))?.[1]
      const key = await readKey()
      t.ok(key)
      t.equal(await readKey(), key, 'the key of a request stays')
      await createPet.locator('textarea').fill('{ "name": "Web", "categoryId": 1 }')
      await expectSample(createPet, 'curl', 'Web')
      t.ok(await readKey())
      t.not(await readKey(), key, 'another request has another key')
      for (const [language, expression] of [
        ['JavaScript', "'Idempotency-Key': crypto.randomUUID()"],
        ['Python', "'Idempotency-Key': str(uuid4())"],
        ['TypeScript', "header: { 'Idempotency-Key': crypto.randomUUID() }"],
      ] as const) {
        await expectSample(createPet, language, expression)
      }
      await createPet.locator('[data-param-name="Idempotency-Key"] input').fill('mine')
      await expectSample(createPet, 'curl', "-H 'Idempotency-Key: mine'")
      await expectSample(createPet, 'Python', "'Idempotency-Key': 'mine'")
    },
  )

  t.test('the page shows the key in the sample alone, and only on request', async (t) => {
    const { page } = await openPage(t, browser)
    const { listPets } = operationsOn(page)
    await page.goto(`${origin}/docs`)
    await unfold(listPets)
    const withKey = listPets.getByLabel('With my credentials')
    t.equal(await withKey.count(), 0, 'there is no key yet')
    await authorise(page, key)
    t.match(await execute(listPets), { status: '200' })
    t.match(await textOf(page.locator('.sample code')), 'Authorization: Bearer <API_KEY>')
    t.notMatch(await textOf(page.locator('#swagger-ui')), key)
    await withKey.check()
    await expectSample(listPets, 'curl', `Authorization: Bearer ${key}`)
    t.equal((await textOf(page.locator('#swagger-ui'))).split(key).length, 2, 'one sample has it')
    await withKey.uncheck()
    await expectSample(listPets, 'curl', 'Authorization: Bearer <API_KEY>')
  })

  t.test('the sample sends forms, files and texts, and follows the media type', async (t) => {
    const { origin, types } = await startMedia(t)
    const { page, complaints } = await openPage(t, browser)
    const project = createProject(t, types)
    await page.goto(`${origin}/docs`)
    /** Runs the samples, and compares what the handler has received. */
    const send = async (operation: Locator, expected: unknown) => {
      for (const language of Object.keys(LANGUAGES) as Language[]) {
        const output = await project.runSample(language, await readSample(operation, language))
        t.match(output, /^(HTTP\/1.1 )?200 /, language)
        t.same(JSON.parse(/\{"received.*$/m.exec(output)?.[0] ?? 'null'), { received: expected }, language)
      }
    }
    const find = (id: string) => page.locator(`#operations-default-${id}`)
    const upload = { name: 'rex.txt', mimeType: 'text/plain', buffer: Buffer.from('a cat') }
    const quotedUpload = { ...upload, name: 'a;b, "c".txt', buffer: Buffer.from('a dog') }
    for (const { name, buffer } of [upload, quotedUpload]) writeFileSync(join(project.folder, name), buffer)

    await unfold(find('sendForm'))
    await find('sendForm').locator('[data-property-name="name"] [type="text"]').fill('It\'s "Łaika" & Co')
    await expectSample(find('sendForm'), 'curl', '%26')
    await send(find('sendForm'), { name: 'It\'s "Łaika" & Co', count: 3 })

    await unfold(find('sendParts'))
    await expectSample(find('sendParts'), 'curl', "-F 'photo=@FILE'")
    await find('sendParts').locator('[data-property-name="photo"] [type="file"]').setInputFiles(upload)
    await expectSample(find('sendParts'), 'curl', "-F 'photo=@rex.txt'")
    await send(find('sendParts'), { name: 'Łaika', photo: 'a cat' })
    await find('sendParts').locator('[data-property-name="photo"] [type="file"]').setInputFiles(quotedUpload)
    await expectSample(find('sendParts'), 'curl', '"a;b, \\"c\\".txt"')
    await send(find('sendParts'), { name: 'Łaika', photo: 'a dog' })

    await unfold(find('sendBytes'))
    await find('sendBytes').locator('[type="file"]').setInputFiles(upload)
    await expectSample(find('sendBytes'), 'curl', "--data-binary '@rex.txt'")
    await send(find('sendBytes'), 'a cat')
    await find('sendBytes').getByLabel('Request content type').selectOption('text/plain')
    await find('sendBytes').locator('textarea').fill('It\'s\n\\ "Rex"')
    await expectSample(find('sendBytes'), 'curl', 'Content-Type: text/plain')
    await send(find('sendBytes'), 'It\'s\n\\ "Rex"')

    await unfold(find('sendLines'))
    await find('sendLines').locator('textarea').fill('{ "a": 1 }\n{ "a": 2 }')
    await expectSample(find('sendLines'), 'curl', '"a": 2')
    await expectSample(find('sendLines'), 'curl', "-H 'X-Empty;'")
    await send(find('sendLines'), '{ "a": 1 }\n{ "a": 2 }')

    await unfold(find('search'))
    await send(find('search'), { ids: [1, 2], filter: { name: 'Rex [1]' } })
    t.equal(await project.compile(), '')
    t.same(complaints, [])
  })
}

type Language = keyof typeof LANGUAGES

/** Waits until the sample has a text. */
async function expectSample(operation: Locator, language: Language, text: string): Promise<void> {
  let sample = ''
  await waitUntil(async () => {
    sample = await readSample(operation, language)
    return sample.includes(text)
  }).catch((error) => {
    throw new Error(`${text} is not in the sample: ${sample}`, { cause: error })
  })
}

/** A folder in which samples run and compile, with the types of the spec. */
function createProject(t: Test, types: string) {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'openapi.d.ts'), types)
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  let count = 0
  return {
    folder,
    /** Runs a sample, and returns what it prints. */
    async runSample(language: Language, sample: string): Promise<string> {
      const { extension, command } = LANGUAGES[language]
      const [program, ...args] = outsideTestRunner(command)
      count += 1
      writeFileSync(join(folder, `${count}.${extension}`), sample)
      const last = extension === 'sh' ? sample : `${count}.${extension}`
      return (await run(program, [...args, last], { cwd: folder })).stdout
    },
    /** Compiles the samples in TypeScript, and returns what the compiler says. */
    async compile(): Promise<string> {
      const files = readdirSync(folder).filter((name) => /\d\.ts$/.test(name))
      const options = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext', '--types', 'node']
      // To check the declarations of Node takes four times as long as the samples; test/scripts/generate.test.ts checks ours.
      options.push('--skipLibCheck')
      const [program, ...args] = outsideTestRunner([
        process.execPath,
        join(root, 'node_modules/typescript/bin/tsc'),
        ...options,
        '--allowImportingTsExtensions',
        ...files,
      ])
      return run(program, args, { cwd: folder }).then(
        ({ stdout }) => stdout,
        ({ stdout }) => stdout,
      )
    },
  }
}

/** Starts operations that respond with what they receive, and their page. */
async function startMedia(t: Test) {
  const document = await load(
    t,
    `openapi: 3.1.0
info: { title: Media, version: 1.0.0 }
security: [{ Key: [] }]
paths:
  /form:
    post:
      operationId: sendForm
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              properties: { name: { type: string }, count: { type: integer, example: 3 } }
      responses: &received
        # As an int64 might be in it, TypeScript prints the text of the response.
        "200": { description: It., content: { application/json: { schema: { properties: { received: {}, id: { type: integer, format: int64 } } } } } }
  /parts:
    post:
      operationId: sendParts
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              properties: { name: { type: string, example: Łaika }, photo: { type: string, format: binary } }
      responses: *received
  /bytes:
    put:
      operationId: sendBytes
      requestBody:
        content:
          application/octet-stream: { schema: { type: string, format: binary } }
          text/plain: { schema: { type: string } }
      responses: *received
  /lines:
    post:
      operationId: sendLines
      parameters: [{ name: X-Empty, in: header, required: true, schema: { type: string, const: "" } }]
      requestBody: { content: { application/jsonl: { schema: { type: string } } } }
      responses: *received
  /search:
    get:
      operationId: search
      parameters:
        - { name: ids, in: query, required: true, explode: false, example: [1, 2],
            schema: { type: array, items: { type: integer } } }
        - { name: filter, in: query, required: true, style: deepObject, example: { name: "Rex [1]" },
            schema: { type: object, properties: { name: { type: string } } } }
      responses: *received
components:
  securitySchemes: { Key: { type: apiKey, in: query, name: key } }
`,
  )
  const read = async (value: unknown) => (value instanceof File ? value.text() : value)
  const receive = async ({ query, body = query }: { query: unknown; body?: unknown }) => {
    if (typeof body === 'string' || body instanceof Uint8Array)
      return { status: 200, body: { received: String(Buffer.from(body)) } }
    const members = Object.entries(body as object).map(async ([name, value]) => [name, await read(value)])
    return { status: 200, body: { received: Object.fromEntries(await Promise.all(members)) } }
  }
  const app = await createLayer(t, {
    ...{ source: '', document, security: { Key: () => ({ id: '1', name: 'Ali' }) } },
    handlers: { sendForm: receive, sendParts: receive, sendBytes: receive, sendLines: receive, search: receive },
  })
  addDocs(app, { document, servers: {}, publicPath: '', publicBasePath: '' })
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return { origin, types: generateClientTypes(document) }
}
