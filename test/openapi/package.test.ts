/**
 * The package of the layer (`npm run pack`) in a project of its own, as docs/plugin.md says. The registry is npm's, or its cache.
 */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readBlocks, readPage, root } from '../docs/pages.ts'
import { runScript, startCommand, startNode } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

/** Five of the plugins that docs/plugin.md names. */
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
  'the packed layer runs the program of its page, writes its types, compiles with es2023, and bears five plugins',
  async (t) => {
    const folder = temporaryFolder(t)
    const { version } = JSON.parse(readPage('src/openapi/package.json'))
    const { devDependencies, dependencies } = JSON.parse(readPage('package.json'))
    t.match(await runScript(t, 'pack', [folder]), { status: 0, stdout: `fastify-openapi-first-${version}.tgz\n` })
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const development = ['@types/node', 'openapi-typescript', 'typescript'].map(
      (name) => `${name}@${devDependencies[name]}`,
    )
    const others = [`fastify@${dependencies.fastify}`, ...development, ...PLUGINS]
    const args = ['--prefer-offline', '--no-audit', '--no-fund', `./fastify-openapi-first-${version}.tgz`, ...others]
    t.match(await startCommand(t, ['npm', 'install', ...args], { folder }).waitForEnd(), { status: 0 })

    for (const name of ['plugin.ts', 'plugin.yaml', 'testing.ts'])
      cpSync(join(root, 'docs/examples', name), join(folder, name))
    const outputs = readBlocks('docs/plugin.md').filter(({ language }) => language === 'console')
    const nothing = { status: 0, stdout: '', stderr: '' }
    for (const [name, output] of [
      ['plugin.ts', outputs.at(0)],
      ['testing.ts', outputs.at(-1)],
    ] as const) {
      t.match(await startNode(t, [name], { folder }).waitForEnd(), { ...nothing, stdout: output?.code }, name)
    }

    const command = (name: string, ...rest: string[]) => {
      return startNode(t, [join('node_modules/.bin', name), ...rest], { folder }).waitForEnd()
    }
    t.match(await command('fastify-openapi-first', 'plugin.yaml', 'generated'), nothing)
    const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023']
    t.match(await command('tsc', ...strict, 'plugin.ts', 'testing.ts', 'generated/openapi.d.ts'), nothing)
    const mistakes = [
      ['status: 200', 'status: 201', "Type '201' is not assignable to type '200'"],
      ['getWord:', 'findWord:', "'findWord' does not exist in type 'Handlers<Client>'"],
      ['Key:', 'Door:', "'Door' does not exist in type"],
      [', maxLength: 9', '', "Property 'maxLength' is missing"],
    ] as const
    const files = mistakes.map(([right, wrong], index) => {
      writeFileSync(join(folder, `mistake${index}.ts`), readPage('docs/examples/plugin.ts').replace(right, wrong))
      return `mistake${index}.ts`
    })
    const { status, stdout } = await command('tsc', '--skipLibCheck', ...strict, ...files)
    t.equal(status, 2)
    for (const [index, [, , message]] of mistakes.entries()) {
      t.match(
        stdout
          .split(/^(?=\S)/m)
          .filter((text) => text.startsWith(`mistake${index}`))
          .join(''),
        message,
      )
    }
    writeFileSync(join(folder, 'plugins.js'), program)
    const lines = ['200 {"word":"cat","length":3} SAMEORIGIN 8 gzip', '304 7', '/words/{word} /words/{word}']
    t.match(await startNode(t, ['plugins.js'], { folder }).waitForEnd(), {
      ...nothing,
      stdout: `${lines.join('\n')}\n`,
    })
  },
)
