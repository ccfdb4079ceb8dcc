/** README.md, docs/*.md and the pages of the OpenAPI layer, and the code that they show. docs/contributing.md has the rules for it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** The pages of the package that the OpenAPI layer is; its README is the first. */
export const packagePages = ['src/openapi/README.md', ...listPages('src/openapi/docs')]

/** The pages, as paths from the root. */
export const pages = ['README.md', 'CHANGELOG.md', ...listPages('docs'), ...packagePages]

/** What a page may show, by the language of the block. */
export const LANGUAGES = {
  /** Commands: run in order, in one shell for each page. */
  sh: 'run',
  /** A program: saved as the file that its first line names, and run. */
  ts: 'run',
  python: 'run',
  /** The output of the block before it. */
  console: 'compared',
  text: 'shown',
  ini: 'shown',
  json: 'shown',
  mermaid: 'shown',
  yaml: 'shown',
} as const

/** The comments above a block that change what is done with it. */
const MARKS = {
  skip: /^<!-- not run: .+ -->$/,
  stopped: /^<!-- run with the service stopped -->$/,
  tools: /^<!-- run if pg_dump is not older than the server -->$/,
}
export type Mark = keyof typeof MARKS

/** The folder of the programs on the pages, and of the documents that they read. */
export const EXAMPLES = 'docs/examples'

/** The first line of a program, or of what it reads, which names its file. */
const FILE = /^(?:\/\/|#) (\S+\.(?:ts|py|yaml|json))\n/

/** A fenced block, at any indentation, with the comment above it if there is one. */
const BLOCK = /^( *)(?:(<!-- .* -->)\n\1)?```(.*)\n([\s\S]*?)^\1```$/gm

export interface Block {
  /** `README.md:12` */
  readonly place: string
  readonly language: keyof typeof LANGUAGES
  readonly mark: Mark | undefined
  readonly code: string
}

/** Reads a file of the checkout. */
export function readPage(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** Reads the blocks of code of a page. Their languages are not checked here. */
export function readBlocks(page: string): Block[] {
  const text = readPage(page)
  return [...text.matchAll(BLOCK)].map(({ index, 1: indent = '', 2: comment, 3: language, 4: code = '' }) => ({
    place: `${page}:${text.slice(0, index).split('\n').length}`,
    language: language as Block['language'],
    mark: comment === undefined ? undefined : toMark(comment),
    code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}

/** Returns the mark that a comment is; undefined if it is another comment. */
export function toMark(comment: string): Mark | undefined {
  return (Object.keys(MARKS) as Mark[]).find((mark) => MARKS[mark].test(comment))
}

/** Returns the file that the first line of a program names, from the root. A name alone is that of an example, in any folder. */
export function getFile(code: string): string | undefined {
  const file = FILE.exec(code)?.[1]
  return file?.includes('/') === false ? `${EXAMPLES}/${file}` : file
}

/** Reads a page without its blocks of code. */
export function readProse(page: string): string {
  return readPage(page).replaceAll(BLOCK, '')
}

function listPages(folder: string): string[] {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'))
  return names.sort().map((name) => `${folder}/${name}`)
}
