import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { createProgress } from '../../scripts/lib/progress.ts'

/** Takes down what is written. */
function output(isTTY: boolean) {
  const written: string[] = []
  return { written, isTTY, write: (text: string) => written.push(text) > 0 }
}

t.test('without a terminal, there is a line for each tenth and one at the end', async (t) => {
  const { written, ...out } = output(false)
  const progress = createProgress('animals', 2000, 0, out)
  for (let done = 50; done <= 2000; done += 50) progress.update(done)
  progress.end()
  t.equal(written.length, 10)
  t.match(written[0], /^animals: 200 of 2,000, [\d,]+\/s, \d+ s left\n$/)
  t.match(written[8], /^animals: 1,800 of 2,000, /)
  t.match(written[9], /^animals: 2,000 of 2,000, [\d,]+\/s, in \d+ s\n$/)
})

t.test('on a terminal, one line is drawn again and again, but not all the time, and then gives way', async (t) => {
  const { written, ...out } = output(true)
  const progress = createProgress('animals', 100, 0, out)
  for (let time = 0; time < 1000; time++) progress.update(25)
  t.ok(written.length < 100)
  await setTimeout(150)
  progress.update(75)
  progress.end()
  for (const text of written) t.ok(text.startsWith('\r\x1b[K'))
  t.match(written[0], /animals \[#{6}-{18}\] 25 % 25 of 100, [\d,]+\/s, \d+ s left$/)
  t.match(written.at(-2), /animals \[#{18}-{6}\] 75 % 75 of 100, /)
  t.match(written.at(-1), /animals: 75 of 100, [^\n]+\n$/)
})

t.test('earlier work counts for the share, but not for the rate', async (t) => {
  const { written, ...out } = output(false)
  const progress = createProgress('animals', 1000, 500, out)
  progress.update(550)
  t.strictSame(written, [])
  progress.update(600)
  t.match(written[0], /^animals: 600 of 1,000, /)
})

t.test('no progress is shown if there is nothing to do', async (t) => {
  const { written, ...out } = output(false)
  createProgress('animals', 0, 0, out).end()
  createProgress('animals', 1000, 1000, out).end()
  t.strictSame(written, [])
})

t.test('progress never exceeds 100 %', async (t) => {
  const { written, ...out } = output(true)
  createProgress('animals', 100, 0, out).update(150)
  t.match(written[0], /\[#{24}\] 100 % 150 of 100, /)
})

t.test('long times are shown in minutes', async (t) => {
  const { written, ...out } = output(false)
  const progress = createProgress('animals', 10_000_000, 0, out)
  await setTimeout(10)
  progress.update(1)
  progress.end()
  t.match(written[0], /^animals: 1 of 10,000,000, [\d,.]+\/s, [\d,]+ min left\n$/)
})

t.test('a small rate is not rounded to zero', async (t) => {
  const { written, ...out } = output(false)
  const progress = createProgress('rounds', 10, 0, out)
  await setTimeout(1100)
  progress.update(1)
  t.match(written[0], /^rounds: 1 of 10, 0\.\d\/s, /)
})
