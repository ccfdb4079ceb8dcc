/**
 * The story of a client as an Arazzo description, run by a tool that knows nothing of this project: Redocly's `respect`
 * holds every response against openapi.yaml.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { databases } from '../helpers/databases.ts'
import { nextOf } from '../helpers/pages.ts'
import { startNode } from '../helpers/process.ts'
import { startService } from '../helpers/service.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { TIMEOUT_MS } from '../helpers/wait.ts'

const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
const file = join(import.meta.dirname, 'story.yaml')
const story: { workflows: { steps: unknown[] }[] } = parse(readFileSync(file, 'utf8'))

/** What the tool writes down, as far as it matters. */
interface Report {
  readonly status: string
  readonly files: Readonly<Record<string, { totalRequests: number; executedWorkflows: Workflow[] }>>
}
interface Workflow {
  readonly executedSteps: readonly { readonly checks: readonly { readonly status: string }[] }[]
}

for (const database of databases) {
  t.test(`every step of the story goes as the document says: ${database.name}`, async (t) => {
    const { call, origin, key } = await startService(t, { databaseUrl: await database.fresh(t) })
    for (const name of ['Rex', 'Mia']) await call('POST', '/v1/pets', { json: { name, categoryId: 1 } })
    const next = nextOf(await call('GET', '/v1/pets?limit=1'))
    const cursor = /cursor=([\w-]+)/.exec(next ?? '')?.[1]
    const output = join(temporaryFolder(t), 'report.json')
    const report = await respect(t, `animalStore=${origin}/v1`, { key, cursor }, output)

    t.equal(report.status, 'success')
    const [all] = Object.values(report.files)
    const steps = all?.executedWorkflows.flatMap(({ executedSteps }) => executedSteps) ?? []
    t.equal(steps.length, story.workflows.flatMap((workflow) => workflow.steps).length, 'no step is left out')
    const checks = steps.flatMap((step) => step.checks)
    t.ok(checks.length > 80)
    t.ok(checks.every(({ status }) => status === 'success'))
    t.comment(`${all?.totalRequests} requests, ${checks.length} checks`)
  })
}

/** Runs the whole story against a server. Rejects, with what the tool has printed, when it finds a mistake. */
async function respect(t: Test, server: string, input: object, output: string): Promise<Report> {
  const options = ['--server', server, '--input', JSON.stringify(input), '--json-output', output]
  const args = [redocly, 'respect', file, ...options, '--execution-timeout', String(TIMEOUT_MS)]
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { status, stdout, stderr } = await startNode(t, args, { env }).waitForEnd()
  if (status !== 0) throw new Error(stdout + stderr)
  return JSON.parse(readFileSync(output, 'utf8'))
}
