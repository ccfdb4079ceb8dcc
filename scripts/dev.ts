/**
 * Serves the spec while it and the code are edited.
 *
 *     node scripts/dev.ts [FILE]
 *
 * Exit status: 0 stopped, 1 not possible, 2 wrong usage.
 */
import { fileURLToPath } from 'node:url'
import { runDev } from './dev/run.ts'
import { runCommand, UsageError } from './lib/command.ts'

const usage = `usage: npm run dev [-- FILE]

Serves a spec while it and the code are edited. Every change that is valid is served within a second, the types follow,
and the documentation page reloads; after one that is not, the last version goes on, and the problems are shown.
An operation without a handler responds with the examples of the spec; "Prefer: code=404" chooses a status.

FILE         the spec; openapi.yaml of this folder by default. Its types are written to the folder "generated" beside it
-h, --help   shows this

The configuration is that of npm start: see .env.example.

example: PORT=3001 npm run dev`

await runCommand(async (args) => {
  if (args.some((arg) => arg === '-h' || arg === '--help')) {
    console.log(usage)
    return
  }
  const wrong = args.find((arg, index) => arg.startsWith('-') || index > 0)
  if (wrong !== undefined) throw new UsageError(`unknown argument ${wrong}; see npm run dev -- --help`)
  await runDev(args[0] ?? fileURLToPath(new URL('../openapi.yaml', import.meta.url)))
})
