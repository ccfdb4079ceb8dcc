/**
 * A version of the service, as a process of its own. It loads the code at once, and serves when it is told to.
 */
import { enableCompileCache } from 'node:module'
import type { FromService, ToService } from './messages.ts'
import { describeFailure } from './problems.ts'
import type { Version } from './serve.ts'

const file = String(process.argv[2])
// Most of the code is the same as that of the version before.
enableCompileCache()
const code = import('./serve.ts')
// An error in the code is reported when the spec is to be served.
code.catch(() => {})
let version: Version | undefined

// A terminal or a supervisor sends the signal to every process of the group; the first one decides what happens.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})

process.on('message', async (message: ToService) => {
  switch (message.type) {
    case 'prepare':
      await code.then(({ warmUp }) => warmUp(file)).catch(() => {})
      break
    case 'start':
      await start()
      break
    case 'problems':
      version?.show(message.text)
      break
    case 'retire':
      version?.retire()
      break
    case 'stop':
      version?.stop()
  }
})

async function start(): Promise<void> {
  try {
    const { serve } = await code
    version = await serve(file)
    send({ type: 'listening', address: version.address })
  } catch (error) {
    send({ type: 'failed', ...describeFailure(error) })
    process.disconnect?.()
  }
}

function send(message: FromService): void {
  process.send?.(message)
}
