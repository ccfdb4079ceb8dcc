/**
 * Edits of `openapi.yaml` alone, and what happens with each: the service refuses to start, or it does what the spec then
 * says. docs/edits.md has the result, and is written anew with WRITE_EDITS=true.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import digests from '../generated/digests.json' with { type: 'json' }
import { buildApp } from '../src/app.ts'
import { createKey, hashKey } from '../src/auth/keys.ts'
import { createLogger } from '../src/logger.ts'
import { DocumentError, loadDocument, type OpenApi } from '../src/openapi/index.ts'
import { openStore } from '../src/stores/open.ts'
import type { Store } from '../src/stores/store.ts'
import { deriveEdits, type Edit, type Values } from './edits/edits.ts'
import { createSender, makeProbes } from './edits/probe.ts'
import { createContract } from './helpers/contract.ts'
import { contractFile } from './helpers/service.ts'

t.setTimeout(120_000)

const table = join(import.meta.dirname, '../docs/edits.md')
const spec = parse(readFileSync(contractFile, 'utf8')) as Values
const original = loadDocument(contractFile)

const keys = { all: createKey(), others: [createKey(), createKey()] }

/** Opens a store with animals, and with the keys. */
async function openFilledStore(): Promise<Store> {
  const store = await openStore('sqlite::memory:')
  await store.keys.add('all', hashKey(keys.all))
  for (const [index, scope] of ['pets:read', 'pets:write'].entries()) {
    await store.keys.add(scope, hashKey(String(keys.others[index])), { scopes: [scope] })
  }
  for (const name of ['Rex', 'Mia', 'Tom']) await store.pets.add({ name, categoryId: 1n, status: 'sold' })
  return store
}

interface Outcome {
  readonly kind: 'refused' | 'stale' | 'served'
  /** What the service says, or nothing. */
  readonly message: string
  readonly requests: number
  /** What must not happen. */
  readonly faults: readonly string[]
}

/** Starts the service by the edited spec, with the types that were generated before, and sends it requests. */
async function tryEdit({ apply }: Edit, store: Store): Promise<Outcome> {
  const document = structuredClone(spec)
  apply(document)
  const lines: string[] = []
  const logger = createLogger({ level: 'error', destination: { write: (line) => void lines.push(line) } })
  const options = { document: { ...original, root: document as unknown as OpenApi }, digests, logger, store }
  const built = await buildApp(options).catch((error: unknown) => error)
  if (built instanceof DocumentError) return toRefusal(built.message.split('\n'))
  if (built instanceof Error) return { kind: 'refused', message: '', requests: 0, faults: [String(built.stack)] }
  const { app, basePath } = built as Awaited<ReturnType<typeof buildApp>>
  const { send, close } = createSender(await app.listen({ host: '127.0.0.1', port: 0 }))
  const contract = createContract(JSON.stringify(document), basePath)
  const faults: string[] = []
  let requests = 0
  for (const probe of makeProbes(document, basePath, keys)) {
    const response = await send(probe)
    const { method, path } = probe
    requests++
    if (response.status >= 500 || /\n\s+at /.test(response.text)) {
      faults.push(`${method} ${path} ${response.status} ${response.text}`)
    }
    try {
      contract.check({ method, path, ...response })
    } catch (error) {
      faults.push((error as Error).message)
    }
  }
  close()
  await app.close()
  return { kind: 'served', message: '', requests, faults: [...faults, ...lines] }
}

const LINE = /^openapi\.yaml:\d+:\d+: (.+)$/
const STALE = /^generated\/ is older than the (\w+ "[^"]+"); run: npm run generate$/

function toRefusal(lines: readonly string[]): Outcome {
  const faults = lines.filter((line) => !LINE.test(line))
  const messages = lines.map((line) => line.replace(LINE, '$1'))
  const stale = messages.flatMap((message) => STALE.exec(message)?.slice(1) ?? [])
  if (stale.length === lines.length) return { kind: 'stale', message: stale.join(', '), requests: 0, faults }
  const more = lines.length > 1 ? ` (and ${lines.length - 1} more)` : ''
  return { kind: 'refused', message: `${messages[0]}${more}`, requests: 0, faults }
}

const counts = { refused: 0, stale: 0, served: 0, requests: 0 }
const rows = new Map<string, { place: string; kind: string; message: string; edits: string[] }>()
t.test('each edit is refused at start, or the service does what the spec says', async (t) => {
  let store = await openFilledStore()
  t.teardown(() => store.close())
  for (const edit of deriveEdits(spec)) {
    const { kind, message, requests, faults } = await tryEdit(edit, store)
    // What was added must not be there when its limits are edited.
    if (kind === 'served') {
      await store.close()
      store = await openFilledStore()
    }
    t.strictSame(faults, [], `${edit.place}, ${edit.what}: ${kind}`)
    counts[kind]++
    counts.requests += requests
    const key = JSON.stringify([edit.place, kind, message])
    const row = rows.get(key) ?? { place: edit.place, kind, message, edits: [] }
    rows.set(key, { ...row, edits: [...row.edits, edit.what] })
  }
})

t.test('docs/edits.md has what happens with each edit', async (t) => {
  const text = formatPage()
  if (process.env.WRITE_EDITS === 'true') writeFileSync(table, text)
  t.equal(readFileSync(table, 'utf8'), text, 'run it with WRITE_EDITS=true to renew it')
})

function formatPage(): string {
  const { refused, stale, served } = counts
  const cell = (text: string) => `\`${text.replaceAll('|', '\\|')}\``
  const outcome = { refused: 'refused: ', stale: 'stale: ', served: 'served' }
  const lines = [...rows.values()].map(({ place, kind, message, edits }) => {
    const what = `${outcome[kind as Outcome['kind']]}${message.replaceAll('|', '\\|').replaceAll('<', '&lt;')}`
    return `| ${place} | ${edits.map(cell).join('<br>')} | ${what} |`
  })
  return `# Edits of the spec

What happens when \`openapi.yaml\` alone is edited, and the service started. \`test/edits.http.test.ts\` makes the edits, and
compares this page with what happens.

| edits | what happens |
|---|---|
| ${refused} | refused at start, with \`openapi.yaml:LINE:COL\` |
| ${stale} | stale: refused at start by the name of the operation or schema, until \`npm run generate\`; then the compiler decides |
| ${served} | served: ${counts.requests / served} requests to each, valid and not, get declared responses only, and none is 500 |

| where | edit | what happens |
|---|---|---|
${lines.join('\n')}
`
}
