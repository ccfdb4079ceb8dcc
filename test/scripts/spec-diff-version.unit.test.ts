import t from 'tap'
import { getLargest, isAtLeast, nextVersion, parseVersion } from '../../scripts/spec-diff/version.ts'

t.test('a version has three numbers, and a pre-release counts as its release', async (t) => {
  t.strictSame(parseVersion('1.20.3'), [1, 20, 3])
  t.strictSame(parseVersion('2.0.0-rc.1+build'), [2, 0, 0])
  for (const text of ['1.2', 'v1.2.3', '1.2.3.4', '', undefined, 1]) t.equal(parseVersion(text), undefined)
})

t.test('changes need the next version of their size, and none need the same', async (t) => {
  t.strictSame(nextVersion([1, 4, 2], 'major'), [2, 0, 0])
  t.strictSame(nextVersion([1, 4, 2], 'minor'), [1, 5, 0])
  t.strictSame(nextVersion([1, 4, 2], 'patch'), [1, 4, 3])
  t.strictSame(nextVersion([1, 4, 2], undefined), [1, 4, 2])
  t.strictSame(nextVersion([0, 4, 2], 'major'), [0, 5, 0], 'a minor version may break clients before 1.0.0')
})

t.test('versions are compared number by number', async (t) => {
  t.ok(isAtLeast([1, 4, 2], [1, 4, 2]))
  t.ok(isAtLeast([2, 0, 0], [1, 9, 9]))
  t.ok(isAtLeast([1, 10, 0], [1, 9, 0]))
  t.notOk(isAtLeast([1, 4, 2], [1, 4, 3]))
  t.notOk(isAtLeast([1, 9, 9], [2, 0, 0]))
})

t.test('the largest of several changes decides', async (t) => {
  t.equal(getLargest(['patch', 'major', 'minor']), 'major')
  t.equal(getLargest([]), undefined)
})
