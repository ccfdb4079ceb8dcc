/**
 * The operations whose responses are cached.
 */
import t from 'tap'
import { startLayer } from '../layer.ts'

const source = `openapi: 3.1.0
info: { title: Words, version: 1.0.0 }
paths:
  /words:
    get:
      operationId: listWords
      responses: &responses
        "200": { description: All., content: { application/json: { schema: { type: string } } } }
        "304": { description: Known. }
        default: { description: Not., content: { application/json: { schema: { type: object } } } }
  /words/in-a-language:
    get:
      operationId: listWordsInLanguage
      parameters: [{ name: Language, in: header, required: true, schema: { type: string, enum: [en, la] } }]
      responses: *responses
`

t.test('a response is cached only if nothing but the URL determines it', async (t) => {
  let calls = 0
  const list = async ({ header }: { header: { Language?: string } }) => {
    calls++
    return { status: 200, body: header.Language ?? 'any' }
  }
  const revise = () => 1
  const { call } = await startLayer(t, {
    source,
    handlers: { listWords: list, listWordsInLanguage: list },
    cacheable: { listWords: revise, listWordsInLanguage: revise },
  })
  for (let time = 0; time < 3; time++) t.match(await call('GET', '/words'), { status: 200, body: 'any' })
  t.equal(calls, 2, 'the third time from memory')
  for (const language of ['en', 'en', 'en', 'la']) {
    const response = await call('GET', '/words/in-a-language', { headers: { language } })
    t.match(response, { status: 200, body: language })
  }
  t.equal((await call('GET', '/words/in-a-language')).status, 400)
})

t.test('a response of an operation that is not declared cacheable is not cached, whatever its name', async (t) => {
  let calls = 0
  const { call } = await startLayer(t, {
    source: source.replace('operationId: listWords\n', 'operationId: toString\n'),
    handlers: {
      toString: async () => ({ status: 200, body: String(calls++) }),
      listWordsInLanguage: async () => ({ status: 204 }),
    },
  })
  for (const body of ['0', '1', '2', '3']) t.match(await call('GET', '/words'), { status: 200, body })
})
