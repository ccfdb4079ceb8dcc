/** A PostgreSQL store behind PgBouncer. */
import { execFile, spawn } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { findFreePort } from '../helpers/port.ts'
import { connect, freshDatabase } from '../helpers/postgres.ts'
import { runServiceProcess } from '../helpers/process.ts'
import { findProgram, skipLoudly } from '../helpers/program.ts'
import { listAll, openAt, refuses, rex } from '../helpers/stores.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitForEvent, within } from '../helpers/wait.ts'

const run = promisify(execFile)
const program = findProgram('pgbouncer')
if (program === undefined) skipLoudly('PgBouncer', 'PgBouncer is not installed')
else {
  t.test('a store behind PgBouncer that pools sessions is used without any other setting', async (t) => {
    const url = await startBouncer(t, program, 'session')
    const store = await openAt(t, url)
    await store.check()
    for (let count = 0; count < 3; count++) await store.pets.add(rex)
    t.equal((await listAll(store)).length, 3)
    t.same(await store.keys.list(), [])
    t.match(await checkStart(t, url), { status: 0, stderr: '' })
  })

  t.test('a store behind PgBouncer is unavailable while PgBouncer cannot connect to the server', async (t) => {
    const database = await freshDatabase(t)
    const url = await startBouncer(t, program, 'session', '', database)
    const store = await openAt(t, url)
    const name = new URL(url).pathname.slice(1)
    const client = await connect(t, Object.assign(new URL(database), { pathname: '/postgres' }).href)
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
    await client.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [name])
    // PgBouncer does not respond to the first one, and rejects the second one, as it has found out why.
    await t.rejects(store.pets.add(rex), { code: 'service_unavailable', cause: { message: 'Query read timeout' } })
    await t.rejects(store.pets.add(rex), { code: 'service_unavailable', cause: { code: '08P01' } })
  })

  for (const order of [0, 1]) {
    t.test(`a pooler of transactions is refused (server_round_robin = ${order})`, async (t) => {
      const url = await startBouncer(t, program, 'transaction', `server_round_robin = ${order}`)
      // PgBouncer has two sessions from now on, which are free.
      const clients = [await connect(t, url), await connect(t, url)]
      for (const sql of ['BEGIN', 'COMMIT']) await Promise.all(clients.map((client) => client.query(sql)))
      await refuses(t, url, 'a pooler gives each transaction another session; use PgBouncer with pool_mode = session')
      t.match(await checkStart(t, url), { status: 1, stderr: 'pool_mode = session' })
    })
  }

  t.test('a server with a self-signed certificate is used with sslrootcert, and refused without it', async (t) => {
    const openssl = findProgram('openssl')
    if (openssl === undefined) return skipLoudly('TLS', 'openssl is not installed')
    const port = await findFreePort()
    const folder = temporaryFolder(t)
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
    const subject = '-subj /CN=localhost -addext subjectAltName=DNS:localhost'
    const args = `req -x509 -newkey rsa:2048 -nodes ${subject} -keyout ${key} -out ${certificate}`
    await run(openssl, args.split(' '))
    chmodSync(folder, 0o755)
    chmodSync(key, 0o644)
    const tls = `client_tls_sslmode = require\nclient_tls_key_file = ${key}\nclient_tls_cert_file = ${certificate}`
    const settings = `listen_addr = localhost\nlisten_port = ${port}\n${tls}`
    const bouncer = await startBouncer(t, program, 'session', settings)
    const url = `${bouncer.replace(/6432.*(\/.*)\?.*/, `${port}$1`)}?sslmode=verify-full`
    const advice = 'DEPTH_ZERO_SELF_SIGNED_CERT; set sslrootcert=FILE to the certificate of its authority'
    await refuses(t, url, advice)
    await refuses(t, `${url}&sslrootcert=${key}.gone`, `${key}.gone cannot be read (ENOENT); correct the URL`)
    const { pets } = await openAt(t, `${url}&sslrootcert=${certificate}`)
    t.match(await pets.add(rex), rex)
  })
}

function checkStart(t: Test, url: string) {
  return runServiceProcess(t, { args: ['--check'], env: { DATABASE_URL: url } })
}

/** Starts PgBouncer in front of a database, by default a new one; returns the URL of that through it. */
async function startBouncer(t: Test, program: string, mode: string, setting = '', database?: string): Promise<string> {
  const { hostname, pathname, port, searchParams, username } = new URL(database ?? (await freshDatabase(t)))
  const folder = temporaryFolder(t)
  // PgBouncer does not run as root.
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  chmodSync(folder, 0o777)
  const file = join(folder, 'pgbouncer.ini')
  const name = pathname.slice(1)
  writeFileSync(
    file,
    `[databases]
     ${name} = host=${searchParams.get('host') ?? hostname} port=${port || 5432} user=${username}
     [pgbouncer]
     unix_socket_dir = ${folder}
     auth_type = any
     pool_mode = ${mode}
     ${setting}`,
  )
  const bouncer = spawn(program, [file], { ...account, stdio: ['ignore', 'ignore', 'pipe'] })
  t.teardown(async () => {
    bouncer.kill('SIGKILL')
    await waitForEvent(bouncer, 'exit')
  })
  let log = ''
  const ready = new Promise<void>((resolve, reject) => {
    bouncer.on('error', reject).on('exit', () => reject(new Error(log)))
    bouncer.stderr.on('data', (text) => {
      log += text
      if (log.includes('process up')) resolve()
    })
  })
  await within(() => `ready pgbouncer, only its log: ${log}`, ready)
  return `postgres://${username}@localhost:6432/${name}?host=${folder}`
}
