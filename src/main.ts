/**
 * The entry: enables the compile cache before everything else is loaded. From the second start on, nothing is compiled again,
 * and Node need not load its TypeScript parser for more than this file.
 */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Threads read the variable.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url))
enableCompileCache()
await import('./command.ts')
