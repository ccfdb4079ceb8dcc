/**
 * Compares `openapi.yaml` with an earlier version of it; see `help` below.
 */
import { checkDocument, openDocument, throwProblems } from '../src/openapi/index.ts'
import { readArguments, runCommand, UsageError } from './lib/command.ts'
import { loadBase } from './spec-diff/base.ts'
import { compareDocuments } from './spec-diff/compare.ts'
import { formatChangelog, formatChanges } from './spec-diff/report.ts'
import { getLargest, isAtLeast, nextVersion, parseVersion } from './spec-diff/version.ts'

const help = `usage: npm run spec:diff -- [BASE]
       npm run spec:changelog -- BASE

Compares openapi.yaml with an earlier version of it, and prints each change with its place, what it means for clients,
and the part of info.version that it increments: major if it breaks clients, minor, or patch. spec:changelog writes the
same as Markdown.

What breaks clients needs a major version, with these exceptions: an operation may be removed once its x-sunset is
past, and operations with the x-stability-level experimental or beta may change with a minor version.

Arguments:
  BASE          a file or a git ref (default: the last tag, or else origin/main, or else HEAD)

Options:
  --changelog   writes Markdown, as npm run spec:changelog does
  -h, --help    prints this

Example:
  npm run spec:diff -- v1.0.0

Exit status: 0 info.version allows the changes, 1 it does not, 2 wrong usage or no base. A changelog is 0 or 2.`

const SPEC = 'openapi.yaml'

await runCommand(async (args) => {
  const { texts, values } = readArguments(args, {
    command: 'npm run spec:diff',
    help,
    names: args.includes('--changelog') ? ['BASE'] : ['[BASE]'],
    options: { changelog: { type: 'boolean' } },
  })
  const [argument] = texts
  const base = await loadBase(SPEC, argument)
  const { openapi, info } = base.document.root
  const from = parseVersion(info?.version)
  if (from === undefined || !/^3\.\d/.test(openapi)) {
    throw new UsageError(`${base.name} is not OpenAPI 3 with an info.version such as 1.2.3; compare with another base`)
  }
  const document = await openDocument(SPEC)
  throwProblems(document, checkDocument(document.root).problems)
  const { version } = document.root.info
  const changes = await compareDocuments(base.document.root, document, new Date().toISOString().slice(0, 10))
  if (values.changelog)
    return void process.stdout.write(formatChangelog(changes, `${from.join('.')} (${base.name})`, version))

  process.stdout.write(formatChanges(changes))
  const count = `${changes.length || 'no'} ${changes.length === 1 ? 'change' : 'changes'}`
  const summary = `${count} since ${from.join('.')} (${base.name})`
  const needed = nextVersion(from, getLargest(changes.map(({ bump }) => bump)))
  const to = parseVersion(version)
  if (to === undefined || !isAtLeast(to, needed)) {
    const advice = `info.version is ${version}; write ${needed.join('.')} or a later version`
    throw new Error(`${document.locate('/info/version')}: ${summary}, and ${advice}`)
  }
  console.log(`${summary}; info.version ${version} allows that`)
})
