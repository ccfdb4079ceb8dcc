/** Uploads that stream, in a process of their own: its memory, and the files that it leaves behind. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import t, { type Test } from 'tap'
import { type HttpResponse, readResponse, send } from '../helpers/http.ts'
import { startProgram } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'

const document = `openapi: 3.1.0
info: { title: Videos, version: 1.0.0 }
paths:
  /memory:
    get:
      operationId: getMemory
      responses: { "200": { description: In bytes., content: { application/json: { schema: {} } } } }
  /videos:
    post:
      operationId: addVideo
      requestBody:
        required: true
        x-max-bytes: 1000000000
        content:
          video/mp4: { x-stream: true }
          multipart/form-data:
            x-stream: true
            schema: { type: object, required: [title, video], properties: { title: { type: string }, video: { type: string, format: binary } } }
      responses: { "200": { description: Its size., content: { application/json: { schema: { type: integer } } } } }
`

/** Reads each upload to its end. Of a video with the title "wait", the handler never returns. */
const program = `
import Fastify from 'FASTIFY'
import { loadDocument, openapi } from 'SRC/openapi/index.ts'
const app = Fastify()
let peak = 0
const handlers = {
  async getMemory() {
    const body = { peak, now: process.memoryUsage.rss() }
    peak = 0
    return { status: 200, body }
  },
  async addVideo({ body, contentType }) {
    if (body.title === 'wait') await new Promise(() => {})
    let size = 0
    const stream = contentType === 'video/mp4' ? body : body.video.stream()
    for await (const { length } of stream) {
      size += length
      peak = Math.max(peak, process.memoryUsage.rss())
    }
    return { status: 200, body: size }
  },
}
await app.register(openapi, { document: await loadDocument('api.yaml'), handlers, uploadFolder: 'uploads' })
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
process.on('SIGTERM', () => app.close())
`

async function startVideos(t: Test) {
  const folder = temporaryFolder(t)
  const uploads = join(folder, 'uploads')
  mkdirSync(uploads)
  writeFileSync(join(folder, 'api.yaml'), document)
  const videos = startProgram(t, program.replace('FASTIFY', import.meta.resolve('fastify')), { folder })
  const origin = await waitUntil(() => /^(http:.*)\n/.exec(videos.output())?.[1])
  return { ...videos, origin, getFiles: () => readdirSync(uploads) }
}

const form = { 'content-type': 'multipart/form-data; boundary=XX' }
const toForm = (title: string, content: string) =>
  `--XX\r\nContent-Disposition: form-data; name="title"\r\n\r\n${title}\r\n` +
  `--XX\r\nContent-Disposition: form-data; name="video"; filename="a.mp4"\r\n\r\n${content}`
const formEnd = '\r\n--XX--\r\n'

const SIZE = 300_000_000

/** Sends a body of that size, between the texts. */
async function sendLarge(origin: string, headers: object, before = '', after = ''): Promise<HttpResponse> {
  const sent = request(`${origin}/videos`, { method: 'POST', headers: { ...headers }, agent: false })
  const response = readResponse(sent)
  const pieces = Array<Buffer>(SIZE / 100_000).fill(Buffer.alloc(100_000, 'x'))
  await pipeline(Readable.from([Buffer.from(before), ...pieces, Buffer.from(after)]), sent)
  return response
}

for (const [what, headers, before, after] of [
  ['bytes', { 'content-type': 'video/mp4' }],
  ['a form', form, toForm('a', ''), formEnd],
] as const) {
  t.test(`300 MB of ${what} take little memory, and leave no file`, async (t) => {
    const { getFiles, origin } = await startVideos(t)
    const getMemory = async () => (await send(origin, 'GET', '/memory')).body as { peak: number; now: number }
    // The first upload loads code.
    const small = request(`${origin}/videos`, { method: 'POST', headers, agent: false })
    small.end(`${before ?? ''}a${after ?? ''}`)
    t.match(await readResponse(small), { status: 200, body: 1 })
    const { now } = await getMemory()
    t.match(await sendLarge(origin, headers, before, after), { status: 200, body: SIZE })
    const { peak } = await getMemory()
    t.comment(`${Math.round((peak - now) / 2 ** 20)} MiB above ${Math.round(now / 2 ** 20)} MiB`)
    // V8 lets about 64 MiB of chunks wait for their collection. A body in memory would take at least 300.
    t.ok(peak - now < 120 * 2 ** 20, `${peak - now} bytes`)
    await waitUntil(() => getFiles().length === 0)
  })
}

t.test('a process that is stopped while uploads arrive leaves no file', async (t) => {
  const videos = await startVideos(t)
  const begun = Array.from({ length: 3 }, () => {
    const sent = request(`${videos.origin}/videos`, { method: 'POST', headers: form, agent: false })
    sent.on('error', () => {})
    sent.write(toForm('a', 'x'.repeat(100_000)))
    return sent
  })
  const complete = request(`${videos.origin}/videos`, { method: 'POST', headers: form, agent: false })
  complete.on('error', () => {})
  complete.end(toForm('wait', 'x') + formEnd)
  await waitUntil(() => videos.getFiles().length === 4)
  videos.kill('SIGTERM')
  for (const sent of [...begun, complete]) sent.destroy()
  t.match(await videos.waitForEnd(), { status: 0, stderr: '' })
  t.same(videos.getFiles(), [])
})
