/**
 * The entry: replaces its process by one that runs the command line, with options and variables that Node takes at its
 * start only. That process finds what earlier starts have compiled; this file is compiled at each start.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * For Node: semi-spaces of 2 MiB for new objects, in place of up to 32, and one thread for what V8 does in the background.
 * An option that belongs to the key of V8's caches would slow the start: Node's own modules are compiled for the defaults.
 */
const OPTIONS = ['--min-semi-space-size=2', '--max-semi-space-size=2', '--v8-pool-size=1']

/** For Node, and for the allocator of glibc, which gives back what compiling took if no thread has a heap of its own. */
const VARIABLES = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)),
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '16384',
}

const { argv, channel, env, execArgv, execPath, execve, platform } = process
const command = new URL('./command.ts', import.meta.url)
for (const [name, value] of Object.entries(VARIABLES)) env[name] ??= value

// Windows cannot replace a process. A parent with a channel to this one would lose it.
if (platform !== 'win32' && channel === undefined) {
  const args = [execPath, ...OPTIONS, ...execArgv, fileURLToPath(command), ...argv.slice(2)]
  try {
    execve?.(execPath, args, env)
  } catch {
    // A sandbox may not permit it. The service runs without the options.
  }
}
// Threads read the variable; this one began without it.
enableCompileCache()
await import(command.href)
