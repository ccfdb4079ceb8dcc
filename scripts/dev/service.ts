/**
 * A version of the service, as a process of its own. It loads the code at once, and serves when it is told to.
 */
import { inspect } from 'node:util'
import type { FromService, ToService } from './messages.ts'

// The terminal sends the signal to every process; the first one decides what happens.
process.on('SIGINT', () => {})

try {
  const { serve } = await import('./serve.ts')
  const { address, show, retire } = await serve(process.argv[2] as string, waitForStart())
  process.on('message', (message: ToService) => {
    if (message.type === 'problems') show(message.text)
    else void retire()
  })
  send({ type: 'listening', address })
} catch (error) {
  send({ type: 'failed', ...describe(error) })
  process.disconnect?.()
}

function waitForStart(): Promise<void> {
  return new Promise((resolve) => process.once('message', () => resolve()))
}

function send(message: FromService): void {
  process.send?.(message)
}

function describe(error: unknown): { message: string; isSetup: boolean } {
  const { name, message, syscall, stack = '' } = error as NodeJS.ErrnoException
  if (name === 'DocumentError') return { message, isSetup: false }
  if (name === 'StartupError') return { message, isSetup: true }
  if (syscall !== undefined)
    return { message: `${message}; choose another HOST or PORT, or stop the other program`, isSetup: true }
  // Of code that cannot be parsed, the stack begins with the place.
  const [, file, line] = /^file:\/\/(\S+):(\d+)$/m.exec(stack) ?? []
  return { message: file === undefined ? inspect(error) : `${file}:${line}:1: ${message}`, isSetup: false }
}
