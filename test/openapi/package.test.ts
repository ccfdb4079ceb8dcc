/**
 * The package of the layer (`npm run pack`) in a project of its own, as docs/plugin.md says. The registry is npm's, or its cache.
 */
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readBlocks, readPage, root } from '../docs/pages.ts'
import { runScript, startCommand, startNode } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

t.test('the packed layer runs the program of its page, writes its types, and compiles with es2023', async (t) => {
  const folder = temporaryFolder(t)
  const { version, devDependencies, dependencies } = JSON.parse(readPage('package.json'))
  t.match(await runScript(t, 'pack', [folder]), { status: 0, stdout: `animal-store-${version}.tgz\n` })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const others = [`fastify@${dependencies.fastify}`, `@types/node@${devDependencies['@types/node']}`]
  const args = ['--prefer-offline', '--no-audit', '--no-fund', `./animal-store-${version}.tgz`, ...others]
  t.match(await startCommand(t, ['npm', 'install', ...args], { folder }).ended, { status: 0 })

  for (const name of ['plugin.ts', 'plugin.yaml']) cpSync(join(root, 'docs/examples', name), join(folder, name))
  const output = readBlocks('docs/plugin.md').find(({ language }) => language === 'console')?.code
  const nothing = { status: 0, stdout: '', stderr: '' }
  t.match(await startNode(t, ['plugin.ts'], { folder }).ended, { ...nothing, stdout: output })

  const command = (name: string, ...rest: string[]) => {
    return startNode(t, [join('node_modules/.bin', name), ...rest], { folder }).ended
  }
  t.match(await command('generate-types', 'plugin.yaml', 'generated'), nothing)
  writeFileSync(
    join(folder, 'handlers.ts'),
    `import type { OpenApiOptions } from 'animal-store/openapi'
import type { Handlers } from './generated/server.d.ts'
const handlers: Handlers<{ id: string }> = {
  getWord: async ({ path: { word }, caller }) => ({ status: 200, body: { word: word + caller.id, length: 3 } }),
}
export const options: Pick<OpenApiOptions, 'handlers'> = { handlers: { getWord: handlers.getWord } }
`,
  )
  const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023']
  t.match(await command('tsc', ...strict, 'plugin.ts', 'handlers.ts', 'generated/openapi.d.ts'), nothing)
})
