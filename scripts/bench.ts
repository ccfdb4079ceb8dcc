/** Measures what a request costs over HTTP; see `help` below. */
import { readArguments, runCommand, UsageError } from '../src/command.ts'
import { compare } from './bench/compare.ts'
import { limits, measureBesideFloor } from './bench/floor.ts'
import { CONNECTIONS, workloads } from './bench/load.ts'
import { measurePeers } from './bench/peers.ts'
import { measureScale } from './bench/scale.ts'

const help = `usage: npm run bench -- [OPTION]...

Measures what a request costs over HTTP, with autocannon: to list the same page again and again, to fetch random
animals, to add animals. The service runs as npm start runs it, on a SQLite file of its own, with the log at warn.
Beside it runs a floor: a bare node:http server that sends the same bodies as constants. The two take turns, so that
a machine that becomes slower meanwhile does so for both. Each gets its requests on ${CONNECTIONS} connections.

The ratio is the processor time of the floor for a request, divided by the same of the service. It is read from /proc,
and stays exact where requests/s do not: autocannon itself takes longer for a request than either server.

With --compare, another commit takes the place of the floor, with a checkout in a temporary folder. It has the packages
of this checkout, or, if it locks others, its own. Ratios above 1 mean that this checkout is better, with changes that
are not committed. The middle half are the ratios of the rounds without the lowest and the highest quarter.

With --scale, the service is measured on stores of several sizes, without a floor, and a table in Markdown is printed,
with the time of a start, a backup and a restore. Requests are those above. PostgreSQL is measured with --postgres
alone, on two databases that are made on that server and removed at the end; pg_dump must not be older than it.

With --peers, the OpenAPI layer alone is measured beside fastify-openapi-glue, express-openapi-validator, and Hono
with @hono/zod-openapi. Each is a short server in scripts/bench/peers/ that does the same job: it checks an API
key, validates requests as one document says, lists the 100 animals that it has in memory on one page, fetches and
adds, without a log. A server is loaded after it has responded rightly, also to wrong requests. A table in
Markdown has, with the middle half of the rounds, how many requests they serve as multiples of a bare node:http
server that does the same without validation, for the same processor time; the time from the start of the process
to the first response; and the memory after the load. The packages are installed from the npm registry in a
temporary folder, in the versions of package.json there and here, with the layer as npm run pack makes it.

Options:
  --check             exit status 1 if a ratio to the floor is below its limit:
                      ${workloads.map((workload) => `${workload} ${limits[workload]}`).join(', ')}
  --compare REF       measures this checkout beside a commit, and prints ratios with their spread
  --scale COUNTS      measures stores with these numbers of animals, separated by commas
  --postgres URL      measures stores on this server beside those on SQLite; its user may create databases
  --peers             measures the OpenAPI layer beside other packages
  --animals COUNT     the number of animals in the store (default: 100000); not for --scale and --peers
  --rounds COUNT      how often each is measured; the median counts (default: 5)
  --seconds SECONDS   for how long (default: 2)
  -h, --help          prints this

Example:
  npm run bench -- --rounds 3 --check
  npm run bench -- --compare HEAD~1 --rounds 9
  npm run bench -- --peers --rounds 9
  npm run bench -- --scale 100000,1000000 --postgres postgres://USER:PASSWORD@HOST/postgres

Exit status: 0 done, 1 not possible or below a limit, 2 wrong usage.`

await runCommand(async (args) => {
  const { values } = readArguments(args, {
    command: 'npm run bench',
    help,
    names: [],
    options: {
      check: { type: 'boolean' },
      compare: { type: 'string' },
      peers: { type: 'boolean' },
      scale: { type: 'string' },
      postgres: { type: 'string' },
      animals: { type: 'string', default: '100000' },
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
    },
  })
  const amount = {
    animals: readCount('--animals', values.animals),
    rounds: readCount('--rounds', values.rounds),
    seconds: readSeconds(values.seconds),
  }
  const { check = false, compare: ref, scale, postgres, peers = false } = values
  if ([check, ref !== undefined, scale !== undefined, peers].filter(Boolean).length > 1) {
    throw new UsageError('--check, --compare, --scale and --peers exclude each other; use one')
  }
  if (postgres !== undefined && scale === undefined) throw new UsageError('--postgres is for --scale; use both')
  if (scale !== undefined) {
    const sizes = scale.split(',').map((count) => readCount('--scale', count))
    await measureScale(sizes, postgres, amount)
  } else if (ref !== undefined) {
    await compare(ref, amount)
  } else if (peers) {
    await measurePeers(amount)
  } else {
    const missed = await measureBesideFloor(amount)
    if (check && missed.length > 0) throw new Error(missed.join('\n'))
  }
})

function readCount(option: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new UsageError(`${option}: ${JSON.stringify(value)} is not possible; use an integer from 1 to 999999999`)
}

function readSeconds(value: string): number {
  if (/^\d{1,4}(\.\d+)?$/.test(value) && Number(value) > 0) return Number(value)
  throw new UsageError(`--seconds: ${JSON.stringify(value)} is not possible; use a number such as 2 or 0.5`)
}
