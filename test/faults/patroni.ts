/**
 * Ten failovers under load, in a cluster of Patroni as Debian ships it:
 * `npx tap --timeout=7200 --reporter=tap test/faults/patroni.ts`. It is no part of `npm test`: it takes 20 minutes, and needs
 * the packages patroni, etcd-server and postgresql. Its figures are on the page of operators ("With Patroni").
 */
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { findFreePort } from '../helpers/port.ts'
import { type RunningProcess, startCommand } from '../helpers/process.ts'
import { findProgram } from '../helpers/program.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'
import { createTraffic, startInstance } from './traffic.ts'

const KILLS = Number(process.env.KILLS ?? 10)
/** PostgreSQL refuses to run as root. */
const account = { uid: 65_534, gid: 65_534 }
const programs = '/usr/lib/postgresql/15/bin'

/** A member of the cluster: Patroni, and PostgreSQL as its child. */
interface Member {
  readonly name: string
  readonly databasePort: number
  readonly apiPort: number
  readonly folder: string
  start(): RunningProcess
  patroni: RunningProcess
}

for (const isSynchronous of [true, false]) {
  t.test(`with synchronous_mode: ${isSynchronous}, ${KILLS} primaries are killed under load`, async (t) => {
    const members = await startCluster(t, isSynchronous)
    const hosts = members.map(({ databasePort }) => `127.0.0.1:${databasePort}`)
    const databaseUrl = `postgres://postgres:secret@${hosts}/postgres?target_session_attrs=read-write`
    const { origin } = await startInstance(t, databaseUrl)
    const traffic = createTraffic(t)
    const { withStatus } = traffic
    const stop = traffic.run(() => origin, { clients: 8 })
    const gaps: number[] = []
    for (let kill = 1; kill <= KILLS; kill++) {
      await waitForCluster(members, isSynchronous)
      const begun = performance.now()
      await waitLong(() => withStatus(201, begun).length >= 200)
      const primary = await findPrimary(members)
      // As if its machine had failed: Patroni cannot hand over, and PostgreSQL cannot finish anything.
      killMachine(primary)
      const killed = performance.now()
      await waitLong(() => withStatus(201, killed).some(({ sent }) => sent > killed + 1000))
      gaps.push(getLongestGap(withStatus(201, begun)))
      t.comment(`kill ${kill}: ${(Number(gaps.at(-1)) / 1000).toFixed(1)} s without an addition`)
      await primary.patroni.waitForEnd()
      primary.patroni = primary.start()
    }
    await stop()
    await traffic.audit(origin)
    report(t, traffic, gaps)
    if (isSynchronous) t.same(traffic.violations, [], 'nothing is lost or doubled')
    t.equal(gaps.length, KILLS)
  })
}

/** Prints the row of the page of operators. */
function report(t: Test, { withStatus, violations }: ReturnType<typeof createTraffic>, gaps: readonly number[]): void {
  const sorted = gaps.toSorted((one, other) => one - other).map((ms) => (ms / 1000).toFixed(1))
  const lost = violations.filter((violation) => violation.includes('was acknowledged')).length
  const reused = violations.filter((violation) => violation.includes('is used again')).length
  t.comment(`acknowledged ${withStatus(201).length}, lost ${lost}, ids used again ${reused}`)
  t.comment(`seconds without writes: ${sorted[0]} to ${sorted.at(-1)}, median ${sorted[Math.floor(sorted.length / 2)]}`)
}

/** Kills Patroni and PostgreSQL, which Patroni starts as a process of its own. */
function killMachine({ folder, patroni }: Member): void {
  patroni.kill('SIGKILL')
  const server = Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0])
  try {
    // Its children end with it.
    process.kill(server, 'SIGKILL')
  } catch {
    // It is being started again, and does not run.
  }
}

/** Returns the longest time between two responses to additions, in milliseconds. */
function getLongestGap(additions: readonly { readonly sent: number; readonly ms: number }[]): number {
  const times = additions.map(({ sent, ms }) => sent + ms).sort((one, other) => one - other)
  return Math.max(...times.slice(1).map((time, index) => time - Number(times[index])))
}

/** Starts etcd, and three members with the defaults of Patroni. */
async function startCluster(t: Test, isSynchronous: boolean): Promise<Member[]> {
  const folder = temporaryFolder(t)
  chownSync(folder, account.uid, account.gid)
  const [clientPort, peerPort] = [await findFreePort(), await findFreePort()]
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${clientPort}`, `http://127.0.0.1:${peerPort}`]
  const etcd = ['--data-dir', join(folder, 'etcd'), '--initial-cluster', `default=${peerUrl}`]
  const urls = ['--listen-client-urls', clientUrl, '--advertise-client-urls', clientUrl]
  const peerUrls = ['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl]
  startCommand(t, [String(findProgram('etcd')), ...etcd, ...urls, ...peerUrls])
  const members: Member[] = []
  for (const name of ['one', 'two', 'three']) {
    const [databasePort, apiPort] = [await findFreePort(), await findFreePort()]
    const file = join(folder, `${name}.yml`)
    const socketFolder = join(folder, name)
    mkdirSync(socketFolder)
    chownSync(socketFolder, account.uid, account.gid)
    const settings = getSettings({ name, databasePort, apiPort, clientPort, folder: socketFolder, isSynchronous })
    writeFileSync(file, JSON.stringify(settings))
    // Its output goes to a file: PostgreSQL, which outlives it, would keep a pipe open.
    const script = `exec setpriv --reuid=${account.uid} --regid=${account.gid} --clear-groups patroni "$0" >>patroni.log 2>&1`
    const command = ['sh', '-c', script, file]
    const start = () => startCommand(t, command, { folder: socketFolder })
    members.push({ name, databasePort, apiPort, folder: socketFolder, start, patroni: start() })
    if (members.length === 1) await findPrimary(members)
  }
  t.teardown(() => members.forEach(killMachine))
  return members
}

/** Returns the configuration of a member, which is YAML, of which JSON is a part. */
function getSettings({ name, databasePort, apiPort, clientPort, folder, isSynchronous }: SettingsOptions) {
  const [api, database] = [`127.0.0.1:${apiPort}`, `127.0.0.1:${databasePort}`]
  return {
    scope: 'animals',
    name,
    restapi: { listen: api, connect_address: api },
    etcd3: { host: `127.0.0.1:${clientPort}` },
    bootstrap: {
      dcs: { synchronous_mode: isSynchronous, postgresql: { use_pg_rewind: true } },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
      pg_hba: ['host replication all 127.0.0.1/32 md5', 'host all all 127.0.0.1/32 md5'],
    },
    postgresql: {
      listen: database,
      connect_address: database,
      data_dir: join(folder, 'data'),
      bin_dir: programs,
      pgpass: join(folder, 'pgpass'),
      // Otherwise, a member whose commits the new primary lacks stays away if pg_rewind fails.
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      authentication: {
        superuser: { username: 'postgres', password: 'secret' },
        replication: { username: 'replicator', password: 'secret' },
      },
      parameters: { unix_socket_directories: folder },
    },
  }
}

interface SettingsOptions {
  readonly name: string
  readonly databasePort: number
  readonly apiPort: number
  readonly clientPort: number
  readonly folder: string
  readonly isSynchronous: boolean
}

/** Waits until there are a primary and two standbys that follow it, one of them synchronous where the mode asks for it. */
async function waitForCluster(members: readonly Member[], isSynchronous: boolean): Promise<void> {
  await waitLong(async () => {
    const paths = [...(isSynchronous ? ['/synchronous'] : []), '/primary', '/replica?lag=1MB']
    const counts = await Promise.all(paths.map((path) => countHealthy(members, path)))
    return counts.every((healthy) => healthy >= 1) && Number(counts.at(-1)) >= 2
  })
}

/** Returns the number of members for which a health check of Patroni is 200. */
async function countHealthy(members: readonly Member[], path: string): Promise<number> {
  const results = await Promise.all(members.map((member) => isHealthy(member, path)))
  return results.filter(Boolean).length
}

/** Returns the member that accepts writes, once there is one. */
async function findPrimary(members: readonly Member[]): Promise<Member> {
  let primary: Member | undefined
  await waitLong(async () => {
    const results = await Promise.all(members.map((member) => isHealthy(member, '/primary')))
    primary = members[results.indexOf(true)]
    return primary !== undefined
  })
  return primary as Member
}

function isHealthy({ apiPort }: Member, path: string): Promise<boolean> {
  const response = fetch(`http://127.0.0.1:${apiPort}${path}`, { signal: AbortSignal.timeout(5000) })
  return response.then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Waits for up to three minutes: a lock of Patroni lasts 30 seconds, and a copy of the primary takes longer. */
async function waitLong(look: () => boolean | Promise<boolean>): Promise<void> {
  for (let minute = 1; minute < 3; minute++) {
    try {
      await waitUntil(look)
      return
    } catch {
      await setTimeout(0)
    }
  }
  await waitUntil(look)
}
