/** The command line, the signals, and the errors of a start. */
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { DocumentError, toError } from 'fastify-openapi-first/shared'
import packageJson from '../package.json' with { type: 'json' }
import { readArguments, runCommand } from './command.ts'
import { ConfigError, StartupError } from './errors.ts'
import { onStopSignal } from './shutdown.ts'

const help = `usage: npm start -- [--check | --version] [FILE]

Serves the catalogue until SIGTERM or Ctrl-C. The environment or a .env file configures it; see .env.example.

Arguments:
  FILE         the spec (default: openapi.yaml of this folder)

Options:
  --check      checks the spec, the configuration and the store as a start does; serves and changes nothing
  --version    prints the version
  -h, --help   prints this

Example:
  PORT=8080 npm start

Exit status: 0 stopped or nothing wrong, 1 not possible or data lost, 2 wrong usage, 78 a mistake in the configuration or
the spec.`

/** The spec, unless the command line names another file, to try a change. */
const defaultSpec = fileURLToPath(new URL('../openapi.yaml', import.meta.url))

const flag = { type: 'boolean' } as const

await runCommand(async (args) => {
  const options = { check: flag, version: flag }
  const { texts, values } = readArguments(args, { command: 'npm start', help, names: ['[FILE]'], options })
  if (values.version) console.log(packageJson.version)
  else await start(texts[0] ?? defaultSpec, values.check)
})

/** Serves a spec until a signal ends the process, or only checks that it can be served. */
async function start(file: string, isCheck = false): Promise<void> {
  let stop = (_signal: NodeJS.Signals): void => process.exit(0)
  onStopSignal((signal) => stop(signal))
  // Otherwise, a full disk or a closed pipe would end the process.
  process.stderr.on('error', () => {})
  try {
    // Imported here because `--help` and `--version` need nothing of it.
    const { checkStart, serve } = await import('./serve.ts')
    if (isCheck) await checkStart(file)
    else stop = await serve(file)
  } catch (error) {
    console.error(formatStartupError(error))
    // EX_CONFIG of sysexits.h: supervisors need not try again.
    process.exit(error instanceof ConfigError || error instanceof DocumentError ? 78 : 1)
  }
}

/** Formats an error that an operator can mend as its message, and any other with its stack, because it is a defect. */
function formatStartupError(error: unknown): string {
  if (error instanceof StartupError || error instanceof DocumentError) return error.message
  const { syscall, code, message } = toError(error)
  if (syscall === 'listen' && code === 'EADDRINUSE') return `${message}; stop the other program or choose another PORT`
  if (syscall === 'listen' || syscall === 'getaddrinfo') return `${message}; choose another HOST or PORT`
  return inspect(error)
}
