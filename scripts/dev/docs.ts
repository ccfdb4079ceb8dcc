/**
 * The documentation page in development: it reloads by itself, and shows what is wrong with the edited files.
 */
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** The script of the page. */
export const PAGE_SCRIPT = readFileSync(new URL('./page.js', import.meta.url), 'utf8')

/** A page whose version ends connects again after so many milliseconds. */
const RETRY_MS = 100

export interface PageUpdates {
  addTo(app: FastifyInstance): void
  /** Shows problems, as text; an empty text hides them. */
  show(problems: string): void
  /** Sends every page to the version that listens now. */
  end(): void
}

/** Makes the events (HTML Standard, Server-sent events) that the pages of a version receive. */
export function createPageUpdates(): PageUpdates {
  const pages = new Set<ServerResponse>()
  let problems = ''

  function send(page: ServerResponse): void {
    page.write(`data: ${JSON.stringify({ version: process.pid, problems })}\n\n`)
  }

  return {
    addTo: (app) => {
      app.get('/docs/dev/events', (_request, reply) => {
        reply.hijack()
        const page = reply.raw
        page.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', Connection: 'close' })
        page.on('close', () => pages.delete(page))
        pages.add(page)
        page.write(`retry: ${RETRY_MS}\n`)
        send(page)
      })
    },
    show: (text) => {
      problems = text
      for (const page of pages) send(page)
    },
    end: () => {
      for (const page of pages) page.end()
    },
  }
}
