/** The service behind a real Caddy, with docs/Caddyfile and with the one of docs/operations.md for a single instance. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { sqlite } from '../helpers/databases.ts'
import { send } from '../helpers/http.ts'
import { findFreePort } from '../helpers/port.ts'
import { startCommand } from '../helpers/process.ts'
import { findProgram, skipLoudly } from '../helpers/program.ts'
import { type Service, startService } from '../helpers/service.ts'
import { lock } from '../helpers/sql.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'
import { readPage } from './pages.ts'

const severalInstances = readPage('docs/Caddyfile')
const [, singleInstance = ''] = /Caddyfile <<'END'\n([\s\S]+?)^END$/m.exec(readPage('docs/operations.md')) ?? []

const caddy = findProgram('caddy')
if (caddy === undefined) skipLoudly('behind Caddy', 'CADDY IS NOT TESTED: install caddy')
else {
  for (const { name, caddyfile, count } of [
    { name: 'a single instance', caddyfile: singleInstance, count: 1 },
    { name: 'several instances', caddyfile: severalInstances, count: 2 },
  ]) {
    t.test(`behind Caddy, ${name} can be read while another process holds the lock of the store`, async (t) => {
      const databaseUrl = await sqlite.fresh(t)
      const start = () => startService(t, { databaseUrl })
      // The key of the first one is stored: the others have another key of the same name.
      const services = [await start()]
      while (services.length < count) services.push(await start())
      const proxy = await startCaddy(t, caddy, caddyfile, services)
      await lock(t, databaseUrl)
      const { origin, key } = services[0] as Service
      t.equal((await send(origin, 'GET', '/readyz')).status, 503)
      const healthPath = /health_uri (\S+)/.exec(caddyfile)?.[1]
      // Caddy acts on the results of these checks before it checks again.
      if (healthPath !== undefined) await Promise.all(services.map((service) => countRequests(service, healthPath, 2)))
      const headers = { authorization: `Bearer ${key}` }
      t.match(await send(proxy, 'GET', '/v1/pets', { headers }), { status: 200, text: '[]' })
    })
  }
}

/** Resolves when a service has got as many more requests for a path. */
function countRequests({ logged }: Service, path: string, count: number): Promise<unknown> {
  const getRequests = () => logged().filter(({ req }) => (req as { path?: string } | undefined)?.path === path)
  const { length } = getRequests()
  return waitUntil(() => getRequests().length >= length + count)
}

/** Runs a Caddyfile in front of services. Resolves with the origin of the proxy. */
async function startCaddy(t: Test, caddy: string, caddyfile: string, services: readonly Service[]): Promise<string> {
  const folder = temporaryFolder(t)
  const origin = `http://127.0.0.1:${await findFreePort()}`
  const upstreams = services.map((service) => new URL(service.origin).host).join(' ')
  const site = caddyfile
    .replace(/^(?::8080|animals\.example)/m, origin)
    .replace(/(?<=reverse_proxy )[^{]+/, `${upstreams} `)
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, `{\n\tadmin off\n}\n${site}`)
  const { outcome } = startCommand(t, [caddy, 'run', '--config', file, '--adapter', 'caddyfile'], {
    folder,
    env: { XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
  })
  await waitUntil(async () => {
    if (outcome() !== undefined) throw new Error(`Caddy does not start: ${JSON.stringify(outcome())}`)
    return (await send(origin, 'GET', '/livez').catch(() => undefined))?.status === 200
  })
  return origin
}
