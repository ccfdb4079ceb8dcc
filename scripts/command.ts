/**
 * What the scripts that are run by hand have in common: their errors and exit statuses.
 */

/** The arguments of a script make no sense. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Runs a script with its arguments. Exit status: 0 done, 1 not possible, 2 wrong usage; what is wrong is one line on the
 * standard error.
 */
export async function runCommand(work: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await work(process.argv.slice(2))
  } catch (error) {
    console.error(messageOf(error))
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}

/** The message, and what it does not say itself of the cause. The stack is of no use to who runs this. */
export function messageOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error && !message.includes(cause.message) ? `${message} (${cause.message})` : message
}
