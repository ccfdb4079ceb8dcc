// plugin.ts
import { join } from 'node:path'
import Fastify from 'fastify'
import { loadDocument, openapi } from 'fastify-openapi-first'
import type { Api } from './generated/server.d.ts'

type Client = { readonly id: string; readonly name: string; readonly maxLength: number }

const app = Fastify()
app.addHook('onSend', async ({ openapi }, reply) => void reply.header('x-operation', openapi?.operation.id ?? 'none'))
app.get('/', async () => 'a route of the app')
await app.register(openapi<Api<Client>>, {
  document: await loadDocument(join(import.meta.dirname, 'plugin.yaml')),
  handlers: {
    getWord: async ({ path: { word }, caller }) => ({
      status: 200,
      body: { word: word.slice(0, caller.maxLength), length: word.length },
    }),
  },
  security: { Key: (credential) => (credential === 'sesame' ? { id: '1', name: 'Ali', maxLength: 9 } : undefined) },
})
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
for (const path of ['/', '/v1/words/cat', '/v1/words/antidisestablishmentarianism']) {
  const response = await fetch(origin + path, { headers: { 'x-key': 'sesame' } })
  console.log(response.status, response.headers.get('x-operation'), await response.text())
}
await app.close()
