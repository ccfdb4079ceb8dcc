// webhooks.ts
import { createHmac, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Fastify from 'fastify'
import { loadDocument, openapi } from 'fastify-openapi-first'

/** Signs as https://www.standardwebhooks.com says, and repeats until the receiver takes the request. */
async function send(url: string, request: RequestInit, key: Buffer): Promise<boolean> {
  const id = `msg_${randomUUID()}`
  for (let attempt = 1; attempt <= 5; attempt++) {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${request.body}`).digest('base64')
    const headers = new Headers(request.headers)
    headers.set('webhook-id', id)
    headers.set('webhook-timestamp', timestamp)
    headers.set('webhook-signature', `v1,${signature}`)
    const init = { ...request, headers, redirect: 'error', signal: AbortSignal.timeout(10_000) } as const
    const response = await fetch(url, init).catch(() => undefined)
    await response?.body?.cancel()
    if (response?.ok) return true
    await setTimeout(100 * 4 ** attempt)
  }
  return false
}

const receiver = Fastify()
receiver.post('/', async ({ headers, body }, reply) => {
  console.log(headers['webhook-signature']?.slice(0, 3), body)
  return reply.code(204).send()
})
const url = await receiver.listen({ port: 0, host: '127.0.0.1' })

const app = Fastify()
await app.register(openapi, { document: await loadDocument(join(import.meta.dirname, 'webhooks.yaml')) })
const webhooks = app.openapi.webhooks as { sold(sale: object): RequestInit }
const request = webhooks.sold({ id: 7n, name: 'Io', note: 'a secret', price: 9 })
console.log('received:', await send(url, request, Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')))
await receiver.close()
