// plugins.ts
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import compress from '@fastify/compress'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import jwt from '@fastify/jwt'
import rateLimit from '@fastify/rate-limit'
import Fastify from 'fastify'
import { loadDocument, openapi } from 'fastify-openapi-first'

type Client = { readonly id: string; readonly name: string }

// Request ids: one of the client's, if it is short and harmless, or a new one; each response names it.
const app = Fastify({
  genReqId: ({ headers }) =>
    /^[\w-]{1,64}$/.test(String(headers['x-request-id'])) ? String(headers['x-request-id']) : randomUUID(),
})
app.addHook('onRequest', async ({ id }, reply) => void reply.header('x-request-id', id))
await app.register(helmet)
await app.register(cors, {
  origin: ['https://shop.example'],
  methods: ['GET', 'POST', 'DELETE'],
  strictPreflight: false,
})
await app.register(compress, { threshold: 1 })
await app.register(jwt, { secret: 'a secret of at least 32 characters, of course' })
// Not global: its hook would run after 401, 403 and 415. `beforeIdentify` counts each request, failed logins as well.
await app.register(rateLimit, { global: false, max: 4, timeWindow: '1 minute' })
await app.register(openapi, {
  document: await loadDocument(join(import.meta.dirname, 'plugins.yaml')),
  handlers: {
    listNotes: async ({ caller }: { caller: Client }) => ({ status: 200, body: [`a note of ${caller.name}`] }),
  },
  hooks: { beforeIdentify: [app.rateLimit()] },
  security: {
    Token: (credential) => {
      try {
        return app.jwt.verify<Client>(credential as string)
      } catch {
        return undefined
      }
    },
  },
})
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
const token = app.jwt.sign({ id: '1', name: 'Ali' }, { expiresIn: '1h' })
const calls: Record<string, string>[] = [
  { authorization: `Bearer ${token}`, 'x-request-id': 'my-id' },
  {},
  { authorization: 'Bearer x' },
  {},
  {},
]
for (const headers of calls) {
  const response = await fetch(`${origin}/notes`, { headers: { ...headers, origin: 'https://shop.example' } })
  const names = [
    'content-encoding',
    'access-control-allow-origin',
    'x-frame-options',
    'x-ratelimit-remaining',
    'x-request-id',
  ]
  if (response.ok) for (const name of names) console.log(`${name}: ${response.headers.get(name)}`)
  console.log(response.status, await response.text())
}
await app.close()
