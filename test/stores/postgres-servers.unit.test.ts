/**
 * The servers in the URL of a PostgreSQL database.
 */
import t from 'tap'
import { StartupError } from '../../src/errors.ts'
import { parseServers } from '../../src/stores/postgres/connection.ts'

t.test('one server is used as it is', async (t) => {
  for (const url of [
    'postgres://me:p%40ss,word@a:5433/animals',
    'postgres:///animals?host=/tmp',
    'postgres://me@/animals',
  ])
    t.same(parseServers(url), { servers: [url], mustWrite: false })
  t.same(parseServers('postgres://a/animals?target_session_attrs=any').mustWrite, false)
  for (const attributes of ['read-write', 'primary'])
    t.same(parseServers(`postgres://a/animals?x=1&target_session_attrs=${attributes}#x`).mustWrite, true)
})

t.test('several servers are used in their order, if they accept writes', async (t) => {
  const rest = '/animals?sslmode=require&target_session_attrs=read-write'
  t.same(parseServers(`postgres://me:pass@a:5433,[::1]:5434,c${rest}`), {
    servers: ['a:5433', '[::1]:5434', 'c'].map((host) => `postgres://me:pass@${host}${rest}`),
    mustWrite: true,
  })
  t.same(parseServers('postgres://a,b/animals').mustWrite, true)
})

t.test('a URL that asks for read-only servers is refused', async (t) => {
  for (const attributes of ['standby', 'read-only', 'prefer-standby', ''])
    t.throws(
      () => parseServers(`postgres://a,b/animals?target_session_attrs=${attributes}`),
      new StartupError(`target_session_attrs=${attributes} is not supported; use read-write`),
    )
})
