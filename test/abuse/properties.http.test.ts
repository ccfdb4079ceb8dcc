/**
 * Properties: what the document allows is accepted and kept as it was sent, and what it does not allow is refused.
 * garbage.test.ts has requests of all kinds; test/app/operations.http.test.ts checks every operation by the document. A failure prints the seed; FC_SEED tries another one.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { readOpenApi, type Schema } from '../helpers/contract.ts'
import { databases, sharedDatabases } from '../helpers/databases.ts'
import type { HttpResponse } from '../helpers/http.ts'
import { writeJson } from '../helpers/json.ts'
import { animalsIn, walkPages } from '../helpers/pages.ts'
import { seed } from '../helpers/random.ts'
import { spec, startService } from '../helpers/service.ts'
import { execute } from '../helpers/sql.ts'
import { jsonTexts, validParameters, validValues, type Wrong, wrongParameters, wrongValues } from './arbitraries.ts'

const { parameters, schemas } = readOpenApi(spec).components
const { NewPet, PetId } = schemas as Record<'NewPet' | 'PetId', Schema>
const { Limit, Status, Cursor, PetIdInPath, IdempotencyKey } = parameters as Record<
  'Limit' | 'Status' | 'Cursor' | 'PetIdInPath' | 'IdempotencyKey',
  { schema: Schema }
>

const check = <Values extends [unknown, ...unknown[]]>(property: fc.IAsyncProperty<Values>, numRuns = 150) =>
  fc.assert(property, { seed, numRuns })

const json = { 'content-type': 'application/json' }

for (const database of databases) {
  t.test(database.name, async (t) => {
    const service = await startService(t, { databaseUrl: await database.fresh(t) })
    const { call, store } = service
    const kept: string[] = []

    t.test('a valid animal is accepted in every spelling, and read back as it was sent', async () => {
      const body = validValues(NewPet).chain((value) =>
        jsonTexts(value).map((text) => [value as Record<string, unknown>, text] as const),
      )
      const key = fc.option(validValues(IdempotencyKey.schema) as fc.Arbitrary<string>, { nil: undefined })
      const used = new Set<string | undefined>()
      const property = fc.asyncProperty(body, key, async ([value, text], given) => {
        // A key in quotes is the same key as without.
        const meaning = given?.startsWith('"') ? JSON.parse(given) : given
        const headers = given === undefined || used.has(meaning) ? json : { ...json, 'idempotency-key': given }
        used.add(meaning)
        const created = await call('POST', '/v1/pets', { headers, body: text })
        assert.equal(created.status, 201, created.text)
        const { id, ...rest } = created.body as Record<string, unknown>
        assert.deepEqual(rest, { status: 'available', ...value, categoryId: asRead(value.categoryId as bigint) })
        const fetched = await call('GET', created.headers.location as string)
        assert.deepEqual([fetched.status, fetched.text], [200, created.text])
        assert.equal(created.headers.location, `/v1/pets/${id}`)
        kept.push(created.text)
      })
      await check(property)
    })

    t.test('the list has all accepted animals and no others', async (t) => {
      const pages = await walkPages((path) => call('GET', path), '/v1/pets?limit=7')
      t.equal(pages.flatMap(animalsIn).length, kept.length)
      t.equal(pages.map(({ text }) => text.slice(1, -1)).join(), kept.join())
    })

    t.test('a body that is not valid is refused, and the message says where', async (t) => {
      const property = fc.asyncProperty(wrongValues(NewPet, 'body'), async ({ value, place }: Wrong) => {
        refusedAs(await call('POST', '/v1/pets', { headers: json, body: writeJson(value) }), place)
      })
      await check(property, 200)
      t.equal(
        (await walkPages((path) => call('GET', path), '/v1/pets?limit=100')).flatMap(animalsIn).length,
        kept.length,
        'nothing was added',
      )
    })

    t.test('a query that is valid gets the animals it asks for', async () => {
      const query = fc.record(
        { limit: validParameters(Limit.schema), status: validParameters(Status.schema) },
        { requiredKeys: [] },
      )
      const property = fc.asyncProperty(query, async (given) => {
        const response = await call('GET', `/v1/pets?${new URLSearchParams(given)}`)
        assert.equal(response.status, 200, response.text)
        const animals = animalsIn(response)
        const all = kept.filter((text) => given.status === undefined || text.endsWith(`"status":"${given.status}"}`))
        assert.equal(animals.length, Math.min(all.length, Number(given.limit ?? 20)))
        assert.ok(animals.every((animal) => given.status === undefined || animal.status === given.status))
      })
      await check(property, 50)
    })

    t.test('a parameter that is not valid is refused, and the message says where', async () => {
      const wrong = fc.oneof(
        wrongParameters(Limit.schema).map((text) => ['?limit=', text, 'query.limit'] as const),
        wrongParameters(Status.schema).map((text) => ['?status=', text, 'query.status'] as const),
        wrongParameters(Cursor.schema).map((text) => ['?cursor=', text, 'query.cursor'] as const),
        wrongParameters(PetIdInPath.schema)
          .filter((text) => text !== '')
          .map((text) => ['/', text, 'path.petId'] as const),
      )
      const property = fc.asyncProperty(wrong, async ([prefix, text, place]) => {
        refusedAs(await call('GET', `/v1/pets${prefix}${encodeURIComponent(text)}`), place)
      })
      await check(property, 300)
    })

    t.test('every int64 is an id, and is repeated with all its digits', async () => {
      const property = fc.asyncProperty(validParameters(PetIdInPath.schema), async (id) => {
        const { status, text } = await call('GET', `/v1/pets/${id}`)
        if (await store.pets.find(BigInt(id))) assert.equal(status, 200)
        else assert.deepEqual([status, text.includes(`the id ${id}"`)], [404, true], text)
      })
      await check(property)
    })
  })
}

for (const database of sharedDatabases) {
  t.test(`an animal is found under every possible id: ${database.name}`, async (t) => {
    const databaseUrl = await database.fresh(t)
    const { call } = await startService(t, { databaseUrl })
    const ids = new Set<bigint>()
    const property = fc.asyncProperty(validValues(PetId), async (given) => {
      const id = given as bigint
      const insert = `INSERT INTO pets (id, name, category_id, status) VALUES (${id}, 'Rex', ${id}, 'sold')`
      if (!ids.has(id)) await execute(databaseUrl, insert)
      ids.add(id)
      const { status, text } = await call('GET', `/v1/pets/${id}`)
      assert.deepEqual([status, text], [200, `{"id":${id},"name":"Rex","categoryId":${id},"status":"sold"}`])
    })
    await check(property, 40)
    const listed = (await walkPages((path) => call('GET', path), '/v1/pets?limit=3'))
      .flatMap(animalsIn)
      .map(({ id }) => BigInt(id))
    t.same(
      listed,
      [...ids].sort((one, other) => (one < other ? -1 : 1)),
    )
  })
}

function refusedAs({ status, body, text }: HttpResponse, place: string): void {
  assert.equal(status, 400, text)
  const { message } = body as { message: string }
  // A number can also be more than JSON is read with.
  assert.ok(message.includes(place) || message.startsWith('body has a number that cannot be kept'), message)
}

/** An integer as the tests read it. */
function asRead(value: bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}
