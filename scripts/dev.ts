/**
 * Serves the spec while it and the code are edited; see `help` below.
 */
import { fileURLToPath } from 'node:url'
import { runDev } from './dev/run.ts'
import { readArguments, runCommand } from './lib/command.ts'

const help = `usage: npm run dev -- [FILE]

Serves a spec while it and the code are edited. Every change that is valid is served within a second, the types follow,
and the documentation page reloads; after one that is not, the last version goes on, and the problems are shown.
An operation without a handler responds with the examples of the spec; "Prefer: code=404" chooses a status.
The environment or a .env file configures it, as npm start; see .env.example.

Arguments:
  FILE         the spec (default: openapi.yaml of this folder); its types go into the folder "generated" beside it

Options:
  -h, --help   prints this

Example:
  PORT=3001 npm run dev

Exit status: 0 stopped, 1 not possible, 2 wrong usage.`

await runCommand(async (args) => {
  const { texts } = readArguments(args, { command: 'npm run dev', help, names: ['[FILE]'] })
  await runDev(texts[0] ?? fileURLToPath(new URL('../openapi.yaml', import.meta.url)))
})
