// streams.ts
import { EventEmitter, on } from 'node:events'
import { join } from 'node:path'
import Fastify from 'fastify'
import { loadDocument, openapi } from 'fastify-openapi-first'

const radar = new EventEmitter()

async function* watchShips(signal: AbortSignal) {
  for await (const [name] of on(radar, 'ship', { signal })) yield { name }
}

async function* toEvents(ships: AsyncIterable<object>) {
  let id = 0
  for await (const ship of ships) yield { id: String(++id), data: JSON.stringify(ship) }
}

const app = Fastify()
await app.register(openapi, {
  document: await loadDocument(join(import.meta.dirname, 'streams.yaml')),
  handlers: {
    watchShips: async ({ accept, signal }: { accept: string; signal: AbortSignal }) => {
      const ships = watchShips(signal)
      return { status: 200, contentType: accept, body: accept === 'text/event-stream' ? toEvents(ships) : ships }
    },
  },
})
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
for (const accept of ['application/jsonl', 'text/event-stream']) {
  const { body } = await fetch(`${origin}/ships`, { headers: { accept } })
  radar.emit('ship', 'Fram')
  // Leaves after the first item, which ends the iterable.
  for await (const chunk of body ?? []) {
    console.log(new TextDecoder().decode(chunk).trim())
    break
  }
}
await app.close()
