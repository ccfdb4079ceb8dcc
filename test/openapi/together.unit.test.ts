/**
 * What the requests of one iteration of the event loop do together.
 */
import t from 'tap'
import { createReadTogether, writeTogether } from '../../src/openapi/together.ts'
import { waitUntil } from '../helpers/wait.ts'

function record() {
  const log: string[] = []
  const read = createReadTogether({ begin: () => void log.push('begin'), end: () => void log.push('end') })
  const request = (name: string) =>
    new Promise<number>((resolve) => {
      read(() => resolve(log.push(name)))
    })
  return { log, read, request }
}

t.test('the requests of an iteration read together, in one snapshot', async (t) => {
  const { log, request } = record()
  const both = [request('a'), request('b')]
  await Promise.resolve()
  t.strictSame(log, [])
  await Promise.all(both)
  t.strictSame(log, ['begin', 'a', 'b', 'end'])
})

t.test('the requests of the next iteration have a snapshot of their own', async (t) => {
  const { log, request } = record()
  await request('a')
  await request('b')
  t.strictSame(log, ['begin', 'a', 'end', 'begin', 'b', 'end'])
})

t.test('the 32nd request does not wait for the end of the iteration', async (t) => {
  const { log, request } = record()
  const names = Array.from({ length: 32 }, (_, index) => String(index))
  const ended = new Promise((resolve) => setImmediate(resolve)).then(() => log.push('the iteration ends'))
  await Promise.all(names.map(request))
  t.strictSame(log, ['begin', ...names, 'end'])
  await ended
  await request('next')
  t.strictSame(log.slice(-4), ['the iteration ends', 'begin', 'next', 'end'])
})

t.test('the responses of an iteration are written together, up to 32', async (t) => {
  const written: number[] = []
  const waiting = Array.from({ length: 40 }, (_, index) => {
    writeTogether(() => void written.push(index))
    return index + 1 - written.length
  })
  t.strictSame(
    waiting,
    waiting.map((_, index) => (index + 1) % 32),
  )
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(written, [...waiting.keys()])
})

t.test('a callback that throws keeps no other from running, and ends in an uncaught exception', async (t) => {
  const { log, read, request } = record()
  const uncaught: Error[] = []
  process.setUncaughtExceptionCaptureCallback((error) => void uncaught.push(error as Error))
  t.teardown(() => process.setUncaughtExceptionCaptureCallback(null))
  const fail = (message: string) => () => {
    throw new Error(message)
  }
  read(fail('read'))
  const isRead = request('other')
  writeTogether(fail('write'))
  const isWritten = new Promise<void>(writeTogether)
  await Promise.all([isRead, isWritten])
  t.strictSame(log, ['begin', 'other', 'end'])
  await waitUntil(() => uncaught.length === 2)
  t.match(uncaught, [{ message: 'read' }, { message: 'write' }])
})
