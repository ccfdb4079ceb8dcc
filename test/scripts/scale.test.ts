import { join } from 'node:path'
import t from 'tap'
import { sharedDatabases } from '../helpers/databases.ts'
import { runScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

/** What is measured of each list, and how it is found: never by reading, or sorting, more than is asked for. */
const lists = [
  'list, first page',
  'list, page in the middle',
  'list, page near the end',
  'list available, first page',
  'list available, page in the middle',
  'list pending, first page',
  'list pending, page in the middle',
  'list sold, first page',
  'list sold, page in the middle',
]
const operations = [...lists, 'fetch', 'fetch, no such animal', 'add', 'add 50 at once']

for (const database of sharedDatabases) {
  t.test(`${database.name}: the output has the ratio of each operation, and the query plans`, async (t) => {
    const [small, large] = [await database.fresh(t), await database.fresh(t)]
    for (const [url, count] of [
      [small, '200'],
      [large, '5000'],
    ] as const) {
      t.equal((await runScript(t, 'seed', [url, count])).status, 0)
    }
    const { status, stdout, stderr } = await runScript(t, 'scale', [small, large, '1'], { coverage: true })
    t.equal(status, 0, stderr)
    t.match(stderr, /measuring: 13 of 13, /)

    const [table = '', ...plans] = stdout.trimEnd().split('\n\n')
    const [heading, ...rows] = table.split('\n')
    t.match(heading, /^median +200 animals +5000 animals +ratio$/)
    t.same(
      rows.map((row) => row.replace(/( +\d+\.\d{3} ms){2} +\d+\.\d{2}$/, '')),
      operations,
    )
    t.same(
      plans.map((plan) => plan.slice(0, plan.indexOf(':'))),
      operations.slice(0, -2),
    )
    for (const plan of plans) {
      // That of PostgreSQL is for all parameters, as in the service.
      t.match(plan, /SEARCH pets USING I|Index Scan using pets_.*\n *Index Cond: .*\$1\b/)
      // The rows of pages that share a statement are sorted, incrementally: by page they are already.
      t.notMatch(plan, /SCAN |TEMP B-TREE|Seq Scan|(^|->) *Sort \(|Filter/m)
    }
  })
}

t.test('a store with too few animals to say anything is refused', async (t) => {
  const [small, large] = ['small', 'large'].map((name) => `sqlite:${join(temporaryFolder(t), name)}`) as [
    string,
    string,
  ]
  await runScript(t, 'seed', [small, '200'])
  await runScript(t, 'seed', [large, '99'])
  t.strictSame(await runScript(t, 'scale', [small, large], { coverage: true }), {
    status: 1,
    stdout: '',
    stderr: 'a store needs at least 100 animals; add them with: npm run seed\n',
  })
})

t.test('wrong usage is reported with the right usage and the exit status 2', async (t) => {
  for (const [args, stderr] of [
    [['sqlite:a'], 'LARGE_URL is missing; see npm run scale -- --help\n'],
    [['sqlite:a', 'sqlite:b', '0'], '"0" is not a number of ROUNDS; use an integer from 1 to 9999\n'],
  ] as const) {
    t.strictSame(await runScript(t, 'scale', args, { coverage: true }), { status: 2, stdout: '', stderr })
  }
})
