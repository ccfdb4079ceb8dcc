// csv.ts
import { join } from 'node:path'
import Fastify, { type FastifyRequest } from 'fastify'
import { loadDocument, openapi } from 'fastify-openapi-first'

type Stock = { name: string; count: bigint }[]

function parseCsv(text: string): object[] {
  // Without a statusCode, this would be a 500.
  if (text.includes('"')) throw Object.assign(new Error('quotes are not supported'), { statusCode: 400 })
  const [names = [], ...rows] = text.split('\n').map((line) => line.split(','))
  const toValue = (text = '') => (/^\d{1,15}$/.test(text) ? Number(text) : text)
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, toValue(row[index])])))
}

const app = Fastify()
app.addContentTypeParser('text/csv', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
  parseCsv(text),
)
await app.register(openapi, {
  document: await loadDocument(join(import.meta.dirname, 'csv.yaml')),
  handlers: { putStock: async ({ body }: { body: Stock }) => ({ status: 200, body }) },
  serializers: {
    'text/csv': (stock) => ['name,count', ...(stock as Stock).map(({ name, count }) => `${name},${count}`)].join('\n'),
  },
})
for (const payload of ['name,count\nant,1000\nbee,7', 'name,count\ncaterpillar,many', 'name\n"cat"']) {
  const headers = { 'content-type': 'text/csv' }
  const { statusCode, body } = await app.inject({ method: 'PUT', url: '/stock', headers, payload })
  console.log(statusCode, body)
}
