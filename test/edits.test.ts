/**
 * Edits of `openapi.yaml` alone, and what happens with each: the service refuses to start, or it does what the spec then
 * says. docs/edits.md has the result, and is written anew with WRITE_EDITS=true.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import digests from '../generated/digests.json' with { type: 'json' }
import { type App, type AppOptions, buildApp } from '../src/app.ts'
import { createKey, hashKey } from '../src/auth/keys.ts'
import { loadConfig } from '../src/config.ts'
import { DocumentError } from '../src/errors.ts'
import { createLogger } from '../src/logger.ts'
import { parseFile } from '../src/openapi/document/parse.ts'
import type { OpenApi } from '../src/openapi/index.ts'
import { openStore } from '../src/stores/open.ts'
import type { Store } from '../src/stores/store.ts'
import { deriveEdits, type Edit, removeExamples, type Values } from './edits/edits.ts'
import { createSender, makeProbes } from './edits/probe.ts'
import { createSingleContract } from './helpers/contract.ts'
import { contractFile } from './helpers/service.ts'

t.setTimeout(120_000)

const table = join(import.meta.dirname, '../docs/edits.md')
const spec = parse(readFileSync(contractFile, 'utf8')) as Values
const original = parseFile(contractFile)

/** Without limits of load: a busy machine is late. */
const config = { ...loadConfig({}), maxEventLoopDelay: 0 }

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
  readonly kind: 'refused' | 'stale' | 'served' | 'unfit'
  /** The same in words, with what the service says. */
  readonly message: string
  readonly requests: number
  /** What must not happen. */
  readonly faults: readonly string[]
}

const served = { kind: 'served', message: 'served', requests: 0, faults: [] } as const

/** Tries an edit as it is; without the examples if only those are wrong then; and as if the types were generated then. */
async function tryEdit({ apply }: Edit, store: Store): Promise<Outcome> {
  const document = structuredClone(spec)
  apply(document)
  const outcome = await tryDocument(document, store)
  if (outcome.kind === 'refused' && outcome.isOfExamples) {
    removeExamples(document)
    const next = await tryDocument(document, store)
    return { ...next, message: `${outcome.message}. Without examples: ${next.message}` }
  }
  return outcome
}

async function tryDocument(document: Values, store: Store): Promise<Outcome & { readonly isOfExamples?: boolean }> {
  const lines: string[] = []
  const logger = createLogger({ level: 'error', destination: { write: (line) => void lines.push(line) } })
  const edited = { ...original, root: document as unknown as OpenApi }
  const options = { config, document: edited, digests, logger, store }
  const { refusal, app } = await start(options)
  if (app === undefined) {
    if (refusal.kind === 'refused') return refusal
    // As the start that follows `npm run generate`: what it has checked is not checked again.
    const checked = { ...edited, findings: { unsupported: [], inconsistent: [], documented: [] } }
    const { refusal: next, app } = await start({ ...options, document: checked })
    await app?.app.close()
    return app === undefined ? { ...refusal, message: `${refusal.message}. Then ${next.message}` } : refusal
  }
  const { send, close } = createSender(await app.app.listen({ host: '127.0.0.1', port: 0 }))
  const contract = createSingleContract(document, app.basePath)
  const faults: string[] = []
  let requests = 0
  for (const probe of makeProbes(document, app.basePath, keys)) {
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
  await app.app.close()
  const isUnfit = faults.length > 0 && faults.every((fault) => VALUES.test(fault))
  if (isUnfit) return { kind: 'unfit', message: 'served, unfit', requests, faults: lines }
  return { ...served, requests, faults: [...faults, ...lines] }
}

async function start(options: AppOptions): Promise<{ refusal: ReturnType<typeof toRefusal>; app?: App }> {
  try {
    return { refusal: served, app: await buildApp(options) }
  } catch (error) {
    if (error instanceof DocumentError) return { refusal: toRefusal(error.message.split('\n')) }
    return { refusal: { ...served, kind: 'refused', faults: [String((error as Error).stack)] } }
  }
}

/** The animals of the store are older than the edit, and what a response tells of them is up to its handler. */
const VALUES = /^\w+ \S+, 20\d, is not as the spec says: (body\S* must (be|match|NOT have)[^;]*(; )?)+$/

const LINE = /^openapi\.yaml:\d+:\d+: (.+)$/
const STALE = /^generated\/ is older than the (\w+ "[^"]+"); run: npm run generate$/
const EXAMPLE = /^the example is not valid against its schema: /

function toRefusal(lines: readonly string[]): Outcome & { readonly isOfExamples?: boolean } {
  const faults = lines.filter((line) => !LINE.test(line))
  const messages = lines.map((line) => line.replace(LINE, '$1'))
  const stale = messages.flatMap((message) => STALE.exec(message)?.slice(1) ?? [])
  if (stale.length === lines.length) return { ...served, kind: 'stale', message: `stale: ${stale.join(', ')}`, faults }
  const more = lines.length > 1 ? ` (and ${lines.length - 1} more)` : ''
  const isOfExamples = messages.every((message) => EXAMPLE.test(message))
  return { ...served, kind: 'refused', message: `refused: ${messages[0]}${more}`, faults, isOfExamples }
}

const counts = { refused: 0, stale: 0, served: 0, unfit: 0, requests: 0 }
const rows = new Map<string, { place: string; message: string; edits: string[] }>()
t.test('each edit is refused at start, or the service does what the spec says', async (t) => {
  let store = await openFilledStore()
  t.teardown(() => store.close())
  for (const edit of deriveEdits(spec)) {
    const { kind, message, requests, faults } = await tryEdit(edit, store)
    // What was added must not be there when its limits are edited.
    if (kind === 'served' || kind === 'unfit') {
      await store.close()
      store = await openFilledStore()
    }
    t.strictSame(faults, [], `${edit.place}, ${edit.what}: ${kind}`)
    counts[kind]++
    counts.requests += requests
    const key = JSON.stringify([edit.place, message])
    const row = rows.get(key) ?? { place: edit.place, message, edits: [] }
    rows.set(key, { ...row, edits: [...row.edits, edit.what] })
  }
})

t.test('docs/edits.md has what happens with each edit', async (t) => {
  const text = formatPage()
  if (process.env.WRITE_EDITS === 'true') writeFileSync(table, text)
  t.equal(readFileSync(table, 'utf8'), text, 'run it with WRITE_EDITS=true to renew it')
})

function formatPage(): string {
  const { refused, stale, served, unfit, requests } = counts
  const toCell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
  const lines = [...rows.values()].map(({ place, message, edits }) => {
    const cells = edits.map((each) => `\`${each.replaceAll('|', '\\|')}\``).join('<br>')
    return `| ${place} | ${cells} | ${toCell(message)} |`
  })
  return `# Edits of the spec

What happens when \`openapi.yaml\` alone is edited, and the service is started. \`test/edits.test.ts\` makes the edits, and
compares this page with what happens.

| edits | what happens |
|---|---|
| ${refused} | refused at start, with \`openapi.yaml:LINE:COL\` |
| ${stale} | stale: refused at start, with \`openapi.yaml:LINE:COL\`, until \`npm run generate\`. Then the compiler decides, or the start refuses it for the reason given |
| ${served} | served: of ${requests} requests, valid and not, each gets a declared response, and none 500 |
| ${unfit} | served, unfit: the same, but the animals of the store do not fit the edited schema; \`VALIDATE_RESPONSES=true\` makes that a 500 |

Where an edit makes only examples wrong, it is tried once more without them.

| where | edit | what happens |
|---|---|---|
${lines.join('\n')}
`
}
