/** The command line, the signals, and the errors of a start. */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { inspect, parseArgs } from 'node:util'
import packageJson from '../package.json' with { type: 'json' }
import { ConfigError, StartupError, toError } from './errors.ts'
import { onStopSignal } from './shutdown.ts'

// For a start without NODE_COMPILE_CACHE. That variable names another folder, whose cache has this file, too.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)))

const help = `usage: npm start -- [--check | --version] [FILE]

Serves the catalogue until SIGTERM or Ctrl-C. The environment or a .env file configures it; see .env.example.

Arguments:
  FILE         the spec (default: openapi.yaml of this folder)

Options:
  --check      checks the spec, the configuration and the store as a start does, and says if a start would create or
               upgrade the store; serves and changes nothing
  --version    prints the version
  -h, --help   prints this

Example:
  PORT=8080 npm start

Exit status: 0 stopped or nothing wrong, 1 not possible or data lost, 2 wrong usage, 78 a mistake in the configuration or
the spec.`

const flag = { type: 'boolean' } as const
const options = { check: flag, version: flag, help: { ...flag, short: 'h' } } as const
const { values, positionals } = parseArgs({ options, allowPositionals: true, strict: false })
const { check, version, help: isHelp, ...unknown } = values

/** The spec. The command line may name another file, to try a change. */
const [file = fileURLToPath(new URL('../openapi.yaml', import.meta.url)), ...others] = positionals

const [mistake] = [
  ...Object.keys(unknown).map((name) => `unknown option '${name.length > 1 ? '--' : '-'}${name}'`),
  ...others.map(() => 'there are too many arguments'),
]

/** Ends the process, gracefully as soon as it has started. */
let stop = (_signal: NodeJS.Signals): void => process.exit(0)

onStopSignal((signal) => stop(signal))

// A full disk or a closed pipe is no reason to end.
process.stderr.on('error', () => {})

try {
  if (isHelp) console.log(help)
  else if (mistake !== undefined) {
    console.error(`${mistake}; see npm start -- --help`)
    process.exitCode = 2
  } else if (version) {
    console.log(packageJson.version)
  } else {
    // Loaded only if it is needed.
    const { checkStart, serve } = await import('./serve.ts')
    if (check) await checkStart(file)
    else stop = await serve(file)
  }
} catch (error) {
  console.error(formatStartupError(error))
  // EX_CONFIG of sysexits.h: supervisors need not try again.
  process.exit(error instanceof ConfigError ? 78 : 1)
}

/** Formats an error that an operator can mend in a few lines; any other with its stack, because it is a defect. */
function formatStartupError(error: unknown): string {
  if (error instanceof StartupError) return error.message
  const { syscall, code, message } = toError(error)
  if (syscall === 'listen' && code === 'EADDRINUSE') return `${message}; stop the other program or choose another PORT`
  if (syscall !== undefined) return `${message}; choose another HOST or PORT`
  return inspect(error)
}
