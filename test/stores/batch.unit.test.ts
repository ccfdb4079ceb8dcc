import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { createGroupCommit } from '../../src/stores/batch.ts'

/** Commits that are recorded, and end when they are told to. */
function createRecorder() {
  const commits: { batch: string[]; end(): void; fail(error: Error): void }[] = []
  const commit = (batch: string[]) =>
    new Promise<string[]>((resolve, reject) => {
      commits.push({ batch, end: () => resolve(batch.map((item) => item.toUpperCase())), fail: reject })
    })
  return { commits, ...createGroupCommit(commit) }
}

t.test('items that arrive while a commit runs are committed together', async (t) => {
  const { commits, submit } = createRecorder()
  const first = submit('a')
  const others = Promise.all([submit('b'), submit('c')])
  t.same(
    commits.map(({ batch }) => batch),
    [['a']],
  )
  commits[0]?.end()
  t.equal(await first, 'A')
  await setImmediate()
  const late = submit('d')
  t.same(
    commits.map(({ batch }) => batch),
    [['a'], ['b', 'c']],
  )
  commits[1]?.end()
  t.same(await others, ['B', 'C'])
  await setImmediate()
  commits[2]?.end()
  t.equal(await late, 'D')
})

t.test('a commit that fails rejects its items only', async (t) => {
  const { commits, submit } = createRecorder()
  const first = submit('a')
  const second = submit('b')
  commits[0]?.fail(new Error('no room'))
  await t.rejects(first, { message: 'no room' })
  await setImmediate()
  commits[1]?.end()
  t.equal(await second, 'B')
})

t.test('settled resolves when the last commit has ended', async (t) => {
  const { commits, submit, settled } = createRecorder()
  await settled()
  const results = [submit('a'), submit('b')]
  let quiet = false
  const quietening = settled().then(() => {
    quiet = true
  })
  commits[0]?.end()
  await setImmediate()
  t.equal(quiet, false)
  commits[1]?.end()
  await quietening
  t.same(await Promise.all(results), ['A', 'B'])
})
