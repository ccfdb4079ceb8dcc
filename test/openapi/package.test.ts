/**
 * The package of the layer (`npm run pack`) in a project of its own: its pages, followed to the letter in an empty folder. The
 * registry is npm's, or its cache.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { getFile, packagePages, readBlocks, readPage } from '../docs/pages.ts'
import { runScript, startCommand } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

/** Five of the plugins that a page names. */
const PLUGINS = [
  '@fastify/compress@9.2.0',
  '@fastify/etag@6.2.0',
  '@fastify/helmet@13.2.0',
  '@fastify/otel@0.21.2',
  '@fastify/rate-limit@11.2.0',
  '@opentelemetry/sdk-trace-base@2.12.1',
]

/** Prints what a client gets of an operation with the plugins, first and again with its ETag, and the routes of the spans. */
const program = `
import { FastifyOtelInstrumentation } from '@fastify/otel'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { loadDocument, openapi } from 'fastify-openapi-first'
import Fastify from 'fastify'
const exporter = new InMemorySpanExporter()
const otel = new FastifyOtelInstrumentation({
  requestHook: (span, { routeOptions: { config, url } }) => span.setAttribute('http.route', config.operation?.path ?? url),
})
otel.setTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
const app = Fastify()
await app.register(otel.plugin())
for (const [name, options] of Object.entries({ helmet: {}, 'rate-limit': { max: 9 }, etag: {}, compress: { threshold: 1 } })) {
  await app.register((await import('@fastify/' + name)).default, options)
}
await app.register(openapi, {
  document: await loadDocument('plugin.yaml'),
  handlers: { getWord: async ({ path: { word } }) => ({ status: 200, body: { word, length: word.length } }) },
  security: { Key: () => ({ id: '1', name: 'Ali' }) },
})
const url = (await app.listen({ port: 0, host: '127.0.0.1' })) + '/v1/words/cat'
const first = await fetch(url, { headers: { 'x-key': 'any' } })
const again = await fetch(url, { headers: { 'x-key': 'any', 'if-none-match': first.headers.get('etag') } })
await app.close()
const names = ['x-frame-options', 'x-ratelimit-remaining', 'content-encoding']
console.log(first.status, await first.text(), ...names.map((name) => first.headers.get(name)))
console.log(again.status, again.headers.get('x-ratelimit-remaining'))
const requests = exporter.getFinishedSpans().filter(({ name }) => name === 'request')
console.log(...requests.map(({ attributes }) => attributes['http.route']))
`

t.test(
  'the pages of the packed layer, followed in an empty folder, leads to programs that run and compile',
  async (t) => {
    const folder = temporaryFolder(t)
    const { version } = JSON.parse(readPage('src/openapi/package.json'))
    t.match(await runScript(t, 'pack', [folder]), { status: 0, stdout: `fastify-openapi-first-${version}.tgz\n` })
    writeFileSync(join(folder, '.npmrc'), 'prefer-offline=true\naudit=false\nfund=false\n')
    const run = (command: readonly string[]) => startCommand(t, command, { folder }).waitForEnd()

    let output = ''
    for (const { code, language, place } of packagePages.flatMap(readBlocks)) {
      const file = basename(getFile(code) ?? '')
      if (language === 'console') t.equal(output, code, place)
      if (file !== '') writeFileSync(join(folder, file), code)
      if (language !== 'sh' && language !== 'ts') continue
      const result = await run(language === 'sh' ? ['sh', '-euc', withVersions(code)] : [process.execPath, file])
      t.match(result, { status: 0, stderr: '' }, place)
      output = result.stdout
    }
    for (const page of packagePages) {
      const file = join(folder, 'node_modules/fastify-openapi-first', relative('src/openapi', page))
      t.ok(existsSync(file), `${page} is in the package`)
    }

    await t.test('the programs compile, and what the README says does not compile does not', (t) =>
      checkMistakes(t, folder),
    )

    await t.test('five of the plugins that a page names work beside an operation', async (t) => {
      t.match(await run(['npm', 'install', ...PLUGINS]), { status: 0 })
      writeFileSync(join(folder, 'plugins.js'), program)
      const lines = ['200 {"word":"cat","length":3} SAMEORIGIN 8 gzip', '304 7', '/words/{word} /words/{word}']
      const expected = { status: 0, stdout: `${lines.join('\n')}\n`, stderr: '' }
      t.match(await run([process.execPath, 'plugins.js']), expected)
    })
  },
)

/** Gives packages that a command installs the versions that the layer is tested with, so that new ones do not break the test. */
function withVersions(command: string): string {
  const { dependencies, devDependencies } = JSON.parse(readPage('package.json'))
  const versions: Record<string, string> = { ...dependencies, ...devDependencies }
  return command.replaceAll(
    /(?<= )(fastify|typescript|openapi-typescript|@types\/node|@fastify\/[\w-]+)(@\d+)?(?= |$)/gm,
    (_text, name) => {
      return `${name}@${versions[name]}`
    },
  )
}

/** Compiles the programs, and beside them the first program of the README with one mistake at a time. */
async function checkMistakes(t: Test, folder: string): Promise<void> {
  const mistakes = [
    ['status: 200', 'status: 201', "Type '201' is not assignable to type '200'"],
    ['getWord:', 'findWord:', "'findWord' does not exist in type"],
    ['Key:', 'Door:', "'Door' does not exist in type"],
    [', maxLength: 9', '', "Property 'maxLength' is missing"],
  ] as const
  for (const [index, [right, wrong]] of mistakes.entries()) {
    writeFileSync(join(folder, `mistake${index}.ts`), readPage('docs/examples/plugin.ts').replace(right, wrong))
  }
  const { status, stdout } = await startCommand(t, ['npx', 'tsc'], { folder }).waitForEnd()
  t.equal(status, 2)
  const reports = stdout.split(/^(?=\S)/m)
  t.same(
    reports.filter((report) => !report.startsWith('mistake')),
    [],
  )
  for (const [index, [, , message]] of mistakes.entries()) {
    t.match(reports.filter((text) => text.startsWith(`mistake${index}`)).join(''), message)
  }
}
