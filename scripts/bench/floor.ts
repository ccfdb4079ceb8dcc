/** Measures the service beside a floor: a bare `node:http` server that sends the same bodies as constants. */
import { join } from 'node:path'
import { type Amount, sendLoad, sendOne, type Workload, workloads } from './load.ts'
import { createFolder, readUsage, root, seed, startServer, startService } from './server.ts'
import { getMedian, printLine, printMachine } from './table.ts'
import { measureInTurns } from './turns.ts'

/** The smallest ratio of each workload that `--check` accepts. They hold on any machine, but not for any version of Node. */
export const limits: Readonly<Record<Workload, number>> = { list: 0.5, fetch: 0.35, add: 0.2 }

/** The least that a server on Node can do. */
const floorProgram = `
  const bodies = JSON.parse(process.env.BODIES)
  const server = require('node:http').createServer((request, response) => {
    const workload = request.method === 'POST' ? 'add' : request.url === '/v1/pets' ? 'list' : 'fetch'
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(bodies[workload]) }
    response.writeHead(workload === 'add' ? 201 : 200, headers).end(bodies[workload])
  })
  server.listen(process.env.PORT, process.env.HOST)`

/** Measures and prints; returns a line for each ratio that is below its limit. */
export async function measureBesideFloor(amount: Amount): Promise<string[]> {
  const { animals, rounds, seconds } = amount
  const folder = createFolder()
  printMachine()
  const url = `sqlite:${join(folder, 'animals.db')}`
  seed(root, url, animals)
  const service = await startService(root, url, folder)
  const bodies = Object.fromEntries(
    await Promise.all(workloads.map(async (workload) => [workload, await sendOne(service, workload)])),
  )
  const program = [process.execPath, '--eval', floorProgram]
  const floor = await startServer(program, { BODIES: JSON.stringify(bodies) }, folder)

  console.log(`${animals} animals, medians of ${rounds} rounds of ${seconds} s\n`)
  printLine('', 'requests/s', 'CPU µs', 'of the floor', 'ratio')
  const missed: string[] = []
  for (const workload of workloads) {
    const measured = await measureInTurns([workload], rounds, async () => {
      const { cpuMicros: floorMicros } = await sendLoad(floor, workload, amount)
      const { cpuMicros, requestsPerSecond } = await sendLoad(service, workload, amount)
      return { requestsPerSecond, cpuMicros, floorMicros, ratio: floorMicros / cpuMicros }
    })
    const format = (name: keyof (typeof measured)[number][number], digits: number) =>
      getMedian(measured.flat().map((round) => round[name])).toFixed(digits)
    const ratio = format('ratio', 3)
    printLine(workload, format('requestsPerSecond', 0), format('cpuMicros', 2), format('floorMicros', 2), ratio)
    const limit = limits[workload]
    if (!(Number(ratio) >= limit)) missed.push(`${workload}: the ratio ${ratio} is below ${limit}`)
  }
  console.log()
  printLine('', 'start ms', 'MiB idle', 'MiB after')
  for (const [name, { pid, startMs, idleMiB }] of Object.entries({ service, floor })) {
    printLine(name, ...[startMs, idleMiB, readUsage(pid).memoryMiB].map((value) => value.toFixed(0)))
  }
  return missed
}
