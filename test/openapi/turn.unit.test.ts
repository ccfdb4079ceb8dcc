/**
 * What the requests of a turn of the event loop have in common.
 */
import t from 'tap'
import { createTurns } from '../../src/openapi/turn.ts'

function record() {
  const log: string[] = []
  const snapshot = { begin: () => void log.push('begin'), end: () => void log.push('end') }
  const endOfTurn = createTurns(snapshot)
  const request = async (name: string): Promise<void> => {
    await endOfTurn()
    log.push(name)
    await undefined
    log.push(`${name} later`)
  }
  return { log, request }
}

t.test('the requests of a turn go on together, in one snapshot', async (t) => {
  const { log, request } = record()
  const both = [request('a'), request('b')]
  await Promise.resolve()
  t.same(log, [])
  await Promise.all(both)
  t.same(log, ['begin', 'a', 'b', 'end', 'a later', 'b later'])
})

t.test('the requests of the next turn have a snapshot of their own', async (t) => {
  const { log, request } = record()
  await request('a')
  await request('b')
  t.same(log, ['begin', 'a', 'end', 'a later', 'begin', 'b', 'end', 'b later'])
})

t.test('the 32nd request does not wait for the end of the turn', async (t) => {
  const { log, request } = record()
  const names = Array.from({ length: 32 }, (_, index) => String(index))
  const ended = new Promise((resolve) => setImmediate(resolve)).then(() => log.push('the turn ends'))
  const requests = names.map(request)
  await Promise.all(requests)
  t.same(log, ['begin', ...names, 'end', ...names.map((name) => `${name} later`)])
  await ended
  await request('next')
  t.same(log.slice(-5), ['the turn ends', 'begin', 'next', 'end', 'next later'])
})
