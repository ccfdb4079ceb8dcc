/** The members of bodies on the documentation page: a table of them, with the JSON beside it. */
import type { Browser, Locator } from 'playwright-core'
import t, { type Test } from 'tap'
import { openBrowser, openPage } from '../helpers/browser.ts'
import { startService } from '../helpers/service.ts'
import { checkReadable, DESK, operationsOn, PHONE, readSample, serveDocs, unfold } from './page-steps.ts'

const browser = await openBrowser('the members of bodies on the documentation page')
if (browser !== undefined) await tests(browser)

async function tests(browser: Browser): Promise<void> {
  // One for all tests: the browser keeps the scripts of an origin.
  const { origin } = await startService(t)

  t.test('the members of a body are in a table, with type, limits and default', async (t) => {
    const { page, complaints } = await openPage(t, browser)
    const { listPets, createPet } = operationsOn(page)
    await page.goto(`${origin}/docs`)
    await unfold(createPet)
    t.same(await readMembers(createPet.locator('.opblock-section-request-body')), [
      'object (NewPet) An animal to add.',
      "name required | string | The animal's name. Any text without control characters. Limits: 1 to 255 characters.",
      'categoryId required | integer (int64) | Id of the category the animal belongs to. The service does not store categories, so it accepts any id.',
      'status | string | Availability. Limits: one of available, pending, sold. Default: available.',
    ])
    await unfold(listPets)
    const [body, id] = await readMembers(listPets.locator('.response[data-code="200"]'))
    t.equal(body, 'array of objects (Pet) Animals, in ascending order of id.')
    t.match(id, 'id required | integer (int64) | Unique identifier')
    t.same(complaints, [])
  })

  t.test('the JSON is beside the table, and below it on a phone', async (t) => {
    for (const viewport of [DESK, PHONE]) {
      const { page } = await openPage(t, browser, { viewport })
      const { createPet } = operationsOn(page)
      await page.goto(`${origin}/docs`)
      await unfold(createPet)
      const body = createPet.locator('.opblock-section-request-body')
      const table = await body.locator('table').boundingBox()
      const json = await body.locator('textarea').boundingBox()
      if (table === null || json === null) throw new Error('the body is not shown')
      t.equal(json.x >= table.x + table.width, viewport === DESK, `beside, at ${viewport.width} pixels`)
      t.equal(json.y >= table.y + table.height, viewport === PHONE, `below, at ${viewport.width} pixels`)
    }
  })

  t.test('members of members, of items and of alternatives are indented below them', async (t) => {
    const { page, complaints } = await openPage(t, browser)
    await page.goto(await serveDocs(t, NESTED))
    const operation = page.locator('#operations-default-send')
    await unfold(operation)
    t.same(await readMembers(operation.locator('.opblock-section-request-body')), [
      'object (Order) An order.',
      'secret required | string | Limits: at least 8 characters.',
      'buyer | object (Person) |',
      '- name | string | The name.',
      '- parent | object (Person) or null |',
      'lines required | array of objects | Limits: at most 9 items, each 1 to 5 members.',
      '- amount required | integer or null | Limits: more than 0, less than 10, a multiple of 2.',
      '- other names | string |',
      'payment | object (Card) or object (Cash) |',
      '- alternative 1 | object (Card) |',
      '-- number | string | Limits: always 4242.',
      '- alternative 2 | object (Cash) | In coins.',
      '-- coins | any value |',
      'labels deprecated | object |',
      '- any name | array of strings (date) |',
      'anything | any value | Default: {"a":[1]}.',
    ])
    const response = await readMembers(operation.locator('.response[data-code="200"]'))
    t.match(response[1], 'id | string or integer |', 'what only responses have, in place of what only requests have')
    t.notMatch(response.join('\n'), 'secret')
    await checkReadable(t, page, 'nested members')
    t.same(complaints, [])
  })

  t.test('a long table begins folded, and its members are unfolded with the keyboard', async (t) => {
    const { page } = await openPage(t, browser, { viewport: PHONE })
    await page.goto(await serveDocs(t, LONG))
    const operation = page.locator('#operations-default-send')
    await unfold(operation)
    const body = operation.locator('.opblock-section-request-body')
    t.same((await readMembers(body)).slice(1), ['outer | object |'])
    const button = body.getByRole('button', { name: 'outer' })
    for (const isOpen of [true, false]) {
      await button.press('Enter')
      t.equal(await button.getAttribute('aria-expanded'), String(isOpen))
      t.equal((await readMembers(body)).length, isOpen ? 32 : 2)
    }
  })

  t.test('a form has its limits, types and media types, and optional fields begin empty', async (t) => {
    const { page, complaints } = await openPage(t, browser)
    await page.goto(await serveDocs(t, FORM))
    const operation = page.locator('#operations-default-send')
    await unfold(operation)
    const read = async (selector: string) => (await operation.locator(selector).innerText()).replaceAll(/\s+/g, ' ')
    t.match(await read('.opblock-section-request-body'), 'Limits: at most 20 MB.')
    t.match(await read('[data-property-name="size"]'), 'size integer (int32) Limits: at most 9. Default: 4.')
    t.match(await read('[data-property-name="photo"]'), 'Media type: image/png or image/*.')
    const fields = ["--form-string 'title=string'", "--form-string 'size=4'", "-F 'photo=@FILE'"]
    t.same((await readSample(operation, 'curl')).split(' \\\n  ').slice(1), fields)
    await operation.getByRole('button', { name: 'Add string item' }).click()
    await checkReadable(t, page, 'a form')
    t.same(complaints, [])
  })

  t.test('a dozen schemas that refer to each other are shown, and end within one another', async (t) => {
    const { page, complaints } = await openPage(t, browser)
    await page.goto(await serveDocs(t, MUTUAL))
    const operation = page.locator('#operations-default-send')
    await unfold(operation)
    const body = operation.locator('.opblock-section-request-body')
    t.equal((await readMembers(body)).length, 1 + MUTUAL_NAMES.length)
    await body.getByRole('button', { name: /schema1$/ }).press('Enter')
    t.match(await readMembers(body), [
      'object (schema0)',
      'schema0 | object (schema0) | The same again.',
      'schema1 | object (schema1) |',
      '- schema0 | object (schema0) | The same again.',
      '- schema1 | object (schema1) | The same again.',
      '- schema2 | object (schema2) | See Schemas at the end of the page.',
    ])
    await checkReadable(t, page, 'schemas that refer to each other')
    t.same(complaints, [])
  })

  t.test('the sample of a few schemas that refer to each other has each of them with its members', async (t) => {
    const { page } = await openPage(t, browser)
    await page.goto(await serveDocs(t, PROJECTS))
    const operation = page.locator('#operations-default-send')
    await unfold(operation)
    const json = await operation.locator('.opblock-section-request-body textarea').inputValue()
    const name = 'string'
    t.same(JSON.parse(json), {
      ...{ name, owner: { name, project: {}, team: { name, project: {}, lead: {} } } },
      team: { name, project: {}, lead: { name, project: {}, team: {} } },
    })
  })

  t.test('values that are listed without a type have the types of all of them', async (t) => {
    t.same(await readBodyMembers(t, browser, LISTED), [
      'object',
      'nothing | null or string | Limits: one of null, a.',
      'level | string or number | Limits: one of low, 1, 2.',
      'large | number | Limits: one of 9007199254740993.',
      'pair | array | Limits: always [1].',
      'mixed | array of integers or strings |',
    ])
  })

  t.test('of the limits in several schemas of a member, the narrowest are shown', async (t) => {
    t.same(await readBodyMembers(t, browser, NARROWED), [
      'object',
      'size | integer | Limits: 3 to 5.',
      'name | string | Limits: 2 to 9 characters.',
    ])
  })

  t.test('the sample of a pattern is short, and the same each time', async (t) => {
    const { page } = await openPage(t, browser)
    await page.goto(await serveDocs(t, PATTERNS))
    const operation = page.locator('#operations-default-send')
    await unfold(operation)
    const json = await operation.locator('.opblock-section-request-body textarea').inputValue()
    t.same(JSON.parse(json), { isbn: '978-0000000000', size: 'small', known: 'K-7' })
  })

  t.test('a document of OpenAPI 3.0, and a body that has no members, have their types and limits', async (t) => {
    const { page, complaints } = await openPage(t, browser)
    await page.goto(await serveDocs(t, OLD))
    const operation = page.locator('#operations-default-send')
    await unfold(operation)
    t.same(await readMembers(operation.locator('.opblock-section-request-body')), [
      'object',
      'price | number (double) or null | Limits: more than 0.',
    ])
    t.same(await readMembers(operation.locator('.response[data-code="200"]')), ['string Limits: at most 5 characters.'])
    t.same(complaints, [])
  })
}

/** Serves a document, and returns what the page says of the body of its operation `send`. */
async function readBodyMembers(t: Test, browser: Browser, document: string): Promise<string[]> {
  const { page } = await openPage(t, browser)
  await page.goto(await serveDocs(t, document))
  const operation = page.locator('#operations-default-send')
  await unfold(operation)
  return readMembers(operation.locator('.opblock-section-request-body'))
}

/** Reads the type of a body, and a line for each member, with `-` for each level. */
async function readMembers(body: Locator): Promise<string[]> {
  const members = body.locator('.members')
  const rows = members.locator(':scope > table > tbody > tr')
  const read = async (locator: Locator) => (await locator.innerText()).replaceAll(/\s+/g, ' ').trim()
  const lines = (await rows.all()).map(async (row) => {
    const [, depth] = /padding-inline-start: (\d)rem/.exec((await row.locator('th').getAttribute('style')) ?? '') ?? []
    const cells = await Promise.all((await row.locator('th, td').all()).map(read))
    return `${'-'.repeat(Number(depth))} ${cells.join(' | ')}`.trim()
  })
  const parts = await members.locator(':scope > :not(table)').all()
  return [(await Promise.all(parts.map(read))).join(' ').trim(), ...(await Promise.all(lines))]
}

const NESTED = `
openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
paths:
  /orders:
    post:
      operationId: send
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } }
      responses:
        "200":
          description: Sent.
          content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } }
components:
  schemas:
    Order:
      description: An order.
      allOf:
        - properties:
            id: { type: [string, integer], readOnly: true }
            secret: { type: string, writeOnly: true }
        - properties: { secret: { minLength: 8 } }
      type: object
      required: [secret, lines]
      properties:
        buyer: { $ref: "#/components/schemas/Person" }
        lines:
          type: array
          maxItems: 9
          items:
            type: object
            minProperties: 1
            maxProperties: 5
            required: [amount]
            properties:
              amount: { type: [integer, "null"], exclusiveMinimum: 0, exclusiveMaximum: 10, multipleOf: 2 }
            additionalProperties: { type: string }
        payment:
          oneOf:
            - { title: Card, properties: { number: { const: "4242" } } }
            - { title: Cash, description: In coins., properties: { coins: {} } }
        labels:
          type: object
          deprecated: true
          additionalProperties: { type: array, items: { type: string, format: date } }
        anything: { default: { a: [1] } }
    Person:
      type: object
      properties:
        name: { type: string, description: The name. }
        parent: { oneOf: [{ $ref: "#/components/schemas/Person" }, { type: "null" }] }
`

const MEMBERS = Array.from({ length: 30 }, (_, index) => `member${index}: { type: string }`).join(', ')
const LONG = `
openapi: 3.1.0
info: { title: Long, version: 1.0.0 }
paths:
  /long:
    post:
      operationId: send
      requestBody:
        content:
          application/json:
            schema: { type: object, properties: { outer: { type: object, properties: { ${MEMBERS} } } } }
      responses: { "204": { description: Sent. } }
`

const FORM = `
openapi: 3.1.0
info: { title: Form, version: 1.0.0 }
paths:
  /form:
    post:
      operationId: send
      requestBody:
        x-max-bytes: 20000000
        content:
          multipart/form-data:
            schema:
              type: object
              required: [title]
              properties:
                title: { type: string }
                size: { type: integer, format: int32, maximum: 9, default: 4 }
                note: { type: string }
                count: { type: integer }
                tags: { type: array, items: { type: string } }
                photo: { type: string, format: binary }
            encoding: { photo: { contentType: "image/png, image/*" } }
      responses: { "204": { description: Sent. } }
`

const MUTUAL_NAMES = Array.from({ length: 12 }, (_, index) => `schema${index}`)
const MUTUAL_MEMBERS = MUTUAL_NAMES.map((name) => `${name}: { $ref: "#/components/schemas/${name}" }`).join(', ')
const MUTUAL = `
openapi: 3.1.0
info: { title: Mutual, version: 1.0.0 }
paths:
  /mutual:
    post:
      operationId: send
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/schema0" } } } }
      responses: { "204": { description: Sent. } }
components:
  schemas:
${MUTUAL_NAMES.map((name) => `    ${name}: { type: object, properties: { ${MUTUAL_MEMBERS} } }\n`).join('')}`

const PROJECTS = `
openapi: 3.1.0
info: { title: Projects, version: 1.0.0 }
paths:
  /projects:
    post:
      operationId: send
      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Project" } } } }
      responses: { "204": { description: Sent. } }
components:
  schemas:
    Project:
      type: object
      required: [name]
      properties:
        name: { type: string }
        owner: { $ref: "#/components/schemas/User" }
        team: { $ref: "#/components/schemas/Team" }
    User:
      type: object
      required: [name]
      properties:
        name: { type: string }
        project: { $ref: "#/components/schemas/Project" }
        team: { $ref: "#/components/schemas/Team" }
    Team:
      type: object
      required: [name]
      properties:
        name: { type: string }
        project: { $ref: "#/components/schemas/Project" }
        lead: { $ref: "#/components/schemas/User" }
`

const LISTED = `
openapi: 3.1.0
info: { title: Listed, version: 1.0.0 }
paths:
  /listed:
    post:
      operationId: send
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                nothing: { enum: [null, a] }
                level: { enum: [low, 1, 2] }
                large: { enum: [9007199254740993] }
                pair: { const: [1] }
                mixed: { type: array, items: { type: [integer, string] } }
      responses: { "204": { description: Sent. } }
`

const NARROWED = `
openapi: 3.1.0
info: { title: Narrowed, version: 1.0.0 }
paths:
  /narrowed:
    post:
      operationId: send
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                size: { type: integer, allOf: [{ minimum: 3, maximum: 5 }, { minimum: 1, maximum: 10 }] }
                name: { type: string, allOf: [{ minLength: 1, maxLength: 9 }], minLength: 2, maxLength: 20 }
      responses: { "204": { description: Sent. } }
`

const PATTERNS = `
openapi: 3.1.0
info: { title: Patterns, version: 1.0.0 }
paths:
  /patterns:
    post:
      operationId: send
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                isbn: { type: string, pattern: "^(978|979)-[0-9]{10}$" }
                size: { type: string, pattern: "^(small|large)$" }
                known: { type: string, pattern: "^[A-Z]-[0-9]{1,40}$", example: K-7 }
      responses: { "204": { description: Sent. } }
`

const OLD = `
openapi: 3.0.4
info: { title: Old, version: 1.0.0 }
paths:
  /old:
    post:
      operationId: send
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                price: { type: number, format: double, nullable: true, minimum: 0, exclusiveMinimum: true }
      responses:
        "200":
          description: Sent.
          content: { application/json: { schema: { type: string, maxLength: 5 } } }
`
