/**
 * README.md and docs/*.md name what exists, and show no code that is neither run nor marked.
 */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'
import { getFile, LANGUAGES, pages, readBlocks, readPage, readProse, root, toMark } from './pages.ts'

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

t.test('the table of variables has those of .env.example, with their defaults', async (t) => {
  const rows = readPage('README.md').matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|([^|]*)\|/gm)
  const documented = [...rows].flatMap(([, names = '', defaults = '']) => {
    const values = defaults.match(/(?<=`)[^`,]+(?=`)/g) ?? []
    return (names.match(/\w+/g) ?? []).map((name, index) => [name, values[index] ?? ''])
  })
  t.same(Object.fromEntries(documented), parseEnv(readPage('.env.example')))
})

t.test('a program of the folder examples is on a page, as it is', async (t) => {
  const programs = pages.flatMap(readBlocks).filter(({ code }) => getFile(code)?.startsWith('docs/examples/'))
  for (const { code, place } of programs) t.equal(code, readPage(getFile(code) ?? ''), place)
  const shown = programs.map(({ code }) => getFile(code)?.replace('docs/examples/', ''))
  t.same(shown.toSorted(), readdirSync(join(root, 'docs/examples')).toSorted())
})

t.test('the program for clients lists every int64 member of the spec', async (t) => {
  type Schema = { readonly format?: string; readonly properties?: Record<string, { readonly $ref: string }> }
  const schemas: Record<string, Schema> = parse(readPage('openapi.yaml')).components.schemas
  const properties = Object.values(schemas).flatMap((schema) => Object.entries(schema.properties ?? {}))
  const names = properties.filter(([, { $ref = '' }]) => schemas[$ref.replace(/.*\//, '')]?.format === 'int64')
  const [, listed = ''] = /const INT64 = new Set\(\[(.*)\]\)/.exec(readPage('docs/clients.md')) ?? []
  t.same(listed.match(/\w+/g), [...new Set(names.map(([name]) => name))].sort().reverse())
})

/** The anchors of a page's headings, as GitHub makes them. */
function readAnchors(page: string): string[] {
  return [...readProse(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}
