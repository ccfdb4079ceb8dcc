/** A shell that clears away what this process would leave behind, however that ends. */
import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'

/** Starts a shell; returns its standard input, which closes when this process is gone. This process does not wait for it. */
export function startOutlivingShell(script: string, ...args: readonly string[]): Writable {
  // Detached, so that a signal from the terminal does not reach it.
  const stdio = ['pipe', 'ignore', 'ignore'] as const
  const child = spawn('sh', ['-c', script, 'sh', ...args], { stdio: [...stdio], detached: true })
  child.unref()
  // A shell that has ended already has nothing to clear away.
  child.stdin.on('error', () => {})
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
  return child.stdin
}
