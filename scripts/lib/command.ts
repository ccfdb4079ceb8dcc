/**
 * Errors and exit statuses of the commands.
 */

/** The arguments of a command are wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Runs a command with its arguments. Exit status: 0 done, 1 not possible, 2 wrong usage. An error is written to the standard
 * error, without a stack.
 */
export async function runCommand(work: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await work(process.argv.slice(2))
  } catch (error) {
    console.error(formatError(error))
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}

/** The message of an error, with that of its cause if it adds anything. */
export function formatError(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && !message.includes(cause.message) ? `${message} (${cause.message})` : message
}
