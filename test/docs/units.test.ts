/** The units of docs/ tell somebody if one of them fails. */
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { readToEnd } from '../helpers/http.ts'
import { startCommand } from '../helpers/process.ts'
import { waitForEvent, within } from '../helpers/wait.ts'
import { readPage, root } from './pages.ts'

t.test('a failure of the service or of its backup starts the unit that sends a text', async (t) => {
  for (const unit of ['docs/animal-store@.service', 'docs/animal-store-backup.service']) {
    const [, name = ''] = /^OnFailure=(.+)%n\.service$/m.exec(readPage(unit)) ?? []
    t.ok(existsSync(join(root, `docs/${name}.service`)), unit)
  }
})

t.test('the text names the unit, and is sent to the URL of the operator', async (t) => {
  const { promise: received, resolve } = Promise.withResolvers<string>()
  const server = createServer((request, response) => {
    resolve(readToEnd(request).then((body) => `${request.method} ${request.url} ${body}`))
    response.end()
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await waitForEvent(server, 'listening')
  const [, command = ''] = /^ExecStart=(.+)$/m.exec(readPage('docs/animal-store-failed@.service')) ?? []
  // A shell reads the quotes and the variable as systemd does.
  const script = command.replaceAll('%i', 'animal-store-backup.service').replaceAll('%H', 'shop-1')
  const ALERT_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/animals`
  t.match(await startCommand(t, ['sh', '-c', script], { env: { ALERT_URL } }).waitForEnd(), { status: 0, stderr: '' })
  const log = 'its log: journalctl -u animal-store-backup.service'
  t.equal(await within('text', received), `POST /animals animal-store-backup.service has failed on shop-1; ${log}`)
})
