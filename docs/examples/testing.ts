// testing.ts
import { join } from 'node:path'
import Fastify from 'fastify'
import { loadDocument, openapi } from 'fastify-openapi-first'
import { createResponseCheck } from 'fastify-openapi-first/testing'

const document = await loadDocument(join(import.meta.dirname, 'plugin.yaml'))
const app = Fastify()
await app.register(openapi, {
  document,
  handlers: { getWord: async () => ({ status: 200, body: { word: 'cat', length: 3 } }) },
  security: { Key: (credential) => (credential === 'sesame' ? { id: '1', name: 'Ali' } : undefined) },
})
const check = createResponseCheck(document)
const url = '/v1/words/cat'
console.log(check(await app.inject({ url, headers: { 'x-key': 'sesame' } })).json())
try {
  check(await app.inject({ url }))
} catch (error) {
  console.log((error as Error).message)
}
const unseen = [...check.declared].filter((response) => !check.seen.has(response))
console.log(`${unseen.length} of ${check.declared.size} declared responses have no test`)
await app.close()
