/**
 * The destination of the log on descriptors that cannot be written.
 */
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { createLogDestination } from '../src/log-destination.ts'
import { temporaryFolder } from './helpers/temporary.ts'
import { waitUntil } from './helpers/wait.ts'

// In a process of its own: a destination writes until the process ends, even to a descriptor that others get meanwhile.

const formatDropped = (count: number) => `dropped ${count}\n`
const line = `${'x'.repeat(1023)}\n`

t.test('lines are dropped while the reader is stuck, and counted when it reads again', async (t) => {
  const pipe = join(temporaryFolder(t), 'pipe')
  execFileSync('mkfifo', [pipe])
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(pipe, constants.O_WRONLY)
  const log = createLogDestination(writer, formatDropped)
  const sent = 4000
  for (let number = 0; number < sent; number++) log.write(line)
  let text = ''
  await waitUntil(() => {
    text += read(reader)
    return /dropped \d+\n/.test(text)
  })
  const written = text.split(line).length - 1
  t.equal(written + Number(/dropped (\d+)/.exec(text)?.[1]), sent)
  closeSync(reader)
  // Nobody reads any longer: the end of the process must not wait.
  log.flushSync()
  closeSync(writer)
})

t.test('waiting lines are written when the process ends', (t) => {
  const file = join(temporaryFolder(t), 'log')
  const log = createLogDestination(openSync(file, 'a'), formatDropped)
  log.write('one\n')
  log.write('two\n')
  log.flushSync()
  t.equal(readFileSync(file, 'utf8'), 'one\ntwo\n')
  t.end()
})

t.test('a line that is being written when the process ends is written once', async (t) => {
  const file = join(temporaryFolder(t), 'log')
  const log = createLogDestination(openSync(file, 'a'), formatDropped)
  for (let number = 0; number < 20; number++) log.write(line)
  log.write('last\n')
  log.flushSync()
  await waitUntil(() => readFileSync(file, 'utf8').length >= 20 * line.length + 5)
  t.equal(readFileSync(file, 'utf8').split('last').length, 2)
})

t.test('a line whose time comes while others are being written is written after them', async (t) => {
  const file = join(temporaryFolder(t), 'log')
  const log = createLogDestination(openSync(file, 'a'), formatDropped)
  // From here, the event loop comes to its timers before it learns that anything is written.
  await setImmediate()
  for (let number = 0; number < 20; number++) log.write(line)
  log.write('last\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  await waitUntil(() => readFileSync(file, 'utf8').endsWith('last\n'))
  t.equal(readFileSync(file, 'utf8'), `${line.repeat(20)}last\n`)
})

t.test('a log on a full device does not stop the process', async (t) => {
  const log = createLogDestination(openSync('/dev/full', 'a'), formatDropped)
  for (let number = 0; number < 3000; number++) log.write(line)
  await new Promise((resolve) => setTimeout(resolve, 300))
  log.flushSync()
  t.pass('the end of the process does not wait')
})

t.test('a log on a closed descriptor does not stop the process', async (t) => {
  const closed = openSync('/dev/null', 'a')
  closeSync(closed)
  const log = createLogDestination(closed, formatDropped)
  log.write(line)
  log.flushSync()
  t.equal(log.getDropped(), 0)
})

/** What there is to read from a pipe without waiting. */
function read(fd: number): string {
  const bytes = Buffer.alloc(65_536)
  try {
    return bytes.toString('utf8', 0, readSync(fd, bytes))
  } catch {
    return ''
  }
}
