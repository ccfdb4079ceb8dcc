/**
 * Watching files through every way of saving.
 */
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { watchFiles } from '../../scripts/dev/watch.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'

function watch(t: Test) {
  const folder = temporaryFolder(t)
  const path = (name: string) => join(folder, name)
  mkdirSync(path('src/inner'), { recursive: true })
  writeFileSync(path('spec.yaml'), '1')
  writeFileSync(path('src/inner/a.ts'), '1')
  const changes: string[][] = []
  const watcher = watchFiles({
    folders: [path('src'), path('missing')],
    files: [path('spec.yaml'), path('.env')],
    onChange: (changed) => changes.push(changed.map((file) => file.slice(folder.length + 1))),
  })
  t.teardown(() => watcher.close())
  /** Resolves with the files of the next change. */
  const next = async () => {
    const change = await waitUntil(() => changes.shift())
    return change.toSorted()
  }
  return { path, next, changes }
}

t.test('every way of saving a file is noticed, again and again', async (t) => {
  const { path, next } = watch(t)
  for (const content of ['2', '3']) {
    writeFileSync(path('spec.yaml'), content)
    t.strictSame(await next(), ['spec.yaml'])
    writeFileSync(path('spec.yaml.tmp'), `${content} renamed`)
    renameSync(path('spec.yaml.tmp'), path('spec.yaml'))
    t.strictSame(await next(), ['spec.yaml'])
    rmSync(path('spec.yaml'))
    t.strictSame(await next(), ['spec.yaml'])
    writeFileSync(path('spec.yaml'), `${content} is back`)
    t.strictSame(await next(), ['spec.yaml'])
  }
})

t.test('a burst of changes is reported as one change', async (t) => {
  const { path, next, changes } = watch(t)
  for (let count = 0; count < 50; count++) {
    writeFileSync(path('spec.yaml'), String(count + 10))
    writeFileSync(path('src/inner/a.ts'), String(count + 10))
    writeFileSync(path('.env'), String(count))
  }
  t.strictSame(await next(), ['.env', 'spec.yaml', 'src/inner/a.ts'])
  t.equal(changes.length, 0)
})

t.test('files in new folders are noticed, and in folders that are replaced', async (t) => {
  const { path, next } = watch(t)
  mkdirSync(path('src/new/deep'), { recursive: true })
  writeFileSync(path('src/new/deep/b.ts'), '1')
  t.strictSame(await next(), ['src/new/deep/b.ts'])
  writeFileSync(path('src/new/deep/b.ts'), '2')
  t.strictSame(await next(), ['src/new/deep/b.ts'])
  rmSync(path('src'), { recursive: true })
  t.strictSame(await next(), ['src/inner/a.ts', 'src/new/deep/b.ts'])
  mkdirSync(path('src/inner'), { recursive: true })
  writeFileSync(path('src/inner/a.ts'), '3')
  t.strictSame(await next(), ['src/inner/a.ts'])
  writeFileSync(path('src/inner/a.ts'), '4')
  t.strictSame(await next(), ['src/inner/a.ts'])
})

t.test('an event without a change of content is not reported', async (t) => {
  const { path, next, changes } = watch(t)
  utimesSync(path('spec.yaml'), new Date(), new Date())
  writeFileSync(path('spec.yaml'), '1')
  writeFileSync(path('src/inner/a.ts.swp'), '1')
  writeFileSync(path('other.yaml'), '1')
  await setTimeout(300)
  t.strictSame(changes, [])
  writeFileSync(path('spec.yaml'), '2')
  t.strictSame(await next(), ['spec.yaml'])
})

t.test('files that change without a pause are reported, too', async (t) => {
  const { path, next } = watch(t)
  let isDone = false
  const writing = (async () => {
    for (let count = 0; !isDone; count++) {
      writeFileSync(path('spec.yaml'), String(count))
      await setTimeout(5)
    }
  })()
  t.strictSame(await next(), ['spec.yaml'])
  isDone = true
  await writing
})
