/**
 * Serves an OpenAPI document while it and the code are edited; see `help` below.
 */
import { fileURLToPath } from 'node:url'
import { runDev } from './dev/supervisor.ts'
import { readArguments, runCommand } from './lib/command.ts'

const help = `usage: npm run dev -- [FILE]

Serves an OpenAPI document while it and the code are edited. Every change that is valid is served at once; after one
that is not, the last version goes on, and the problems are shown. Any supported document is served without code: an
operation without a handler responds with an example of the document, or else with a value made from its schema;
"Prefer: code=404" chooses a status.
The environment or a .env file configures it, as npm start; see .env.example.

Arguments:
  FILE         the document (default: openapi.yaml of this folder, whose types are written and checked, too)

Options:
  -h, --help   prints this

Example:
  PORT=3001 npm run dev -- my-api.yaml

Exit status: 0 stopped, 1 not possible, 2 wrong usage.`

await runCommand(async (args) => {
  const { texts } = readArguments(args, { command: 'npm run dev', help, names: ['[FILE]'] })
  await runDev(texts[0] ?? fileURLToPath(new URL('../openapi.yaml', import.meta.url)))
})
