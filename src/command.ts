/** The common parts of the commands: help, arguments, errors and exit statuses. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** The usage of a command. */
export interface Usage<Names, Options> {
  /** The command as people type it: `npm run backup`. */
  readonly command: string
  /** The text that `--help` prints. */
  readonly help: string
  /** The names of the arguments, in order; one in brackets may be missing, and `...` at the end is any number of others. */
  readonly names: Names
  readonly options?: Options
}

/** The texts of the arguments with these names. */
type Texts<Names extends readonly string[]> = Names extends readonly [...infer First extends readonly string[], '...']
  ? readonly [...Texts<First>, ...string[]]
  : { readonly [Index in keyof Names]: Names[Index] extends `[${string}]` ? string | undefined : string }

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<typeof parseArgs<{ options: Options }>>['values']

/** The error if the arguments of a command are wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Ends a command whose arguments ask for help, which is the message. */
class HelpRequest extends Error {
  override readonly name = 'HelpRequest'
}

/**
 * Runs a command with its arguments. Exit status: 0 done, 1 not possible, 2 wrong usage. An error is written to the standard
 * error, without a stack.
 */
export async function runCommand(work: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await work(process.argv.slice(2))
  } catch (error) {
    if (error instanceof HelpRequest) return console.log(error.message)
    console.error(formatError(error))
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}

/**
 * Reads the arguments and options of a command; an empty argument counts as missing. `--help` and `-h` end the command with
 * its help, wherever they stand. No message repeats a text, which may be a secret.
 */
export function readArguments<const Names extends readonly string[], const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  { command, help, names, options }: Usage<Names, Options>,
): { readonly texts: Texts<Names>; readonly values: Values<Options> } {
  if (args.some((arg) => arg === '--help' || arg === '-h')) throw new HelpRequest(help)
  const seeHelp = `see ${command} -- --help`
  const { positionals, values } = parse(args, options, seeHelp)
  const acceptsMoreTexts = names.at(-1) === '...'
  const isOptional = (name: string | undefined) => name?.startsWith('[')
  const missing = names.find((name, index) => !isOptional(name) && name !== '...' && !positionals[index])
  if (missing !== undefined) throw new UsageError(`${missing} is missing; ${seeHelp}`)
  if (positionals.length > names.length && !acceptsMoreTexts)
    throw new UsageError(`there are too many arguments; ${seeHelp}`)
  const texts = positionals.map((text, index) => (text === '' && isOptional(names[index]) ? undefined : text))
  return { texts: texts as readonly unknown[] as Texts<Names>, values: values as Values<Options> }
}

function parse(args: readonly string[], options: ParseArgsOptionsConfig | undefined, seeHelp: string) {
  try {
    return parseArgs({ args: [...args], options: options ?? {}, allowPositionals: true })
  } catch (error) {
    // Node's advice follows the first sentence.
    const [sentence = ''] = formatError(error).split(/\.?\s*\n|\. /)
    throw new UsageError(`${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}; ${seeHelp}`)
  }
}

/** The message of an error, with the message of its cause if that adds anything. */
export function formatError(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && !message.includes(cause.message) ? `${message} (${cause.message})` : message
}
