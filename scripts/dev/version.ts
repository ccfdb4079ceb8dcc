/** A version of the service, as a process that the supervisor forks. It sends its routes to the supervisor. */
import { formatFailure } from './problems.ts'
import { serve } from './serve.ts'

// A terminal sends the signal to every process of the group; the supervisor decides what happens.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})

const [file = '', documentFolder = '', folder = ''] = process.argv.slice(2)
const started = serve(file, documentFolder, folder)
// The supervisor sends no other message than to finish.
process.on('message', () => void started.then(({ finish }) => finish()))
try {
  const { routes } = await started
  process.send?.(routes)
} catch (error) {
  console.error(formatFailure(error))
  process.exit(1)
}
