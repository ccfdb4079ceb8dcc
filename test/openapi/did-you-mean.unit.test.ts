/**
 * Suggestions for mistyped names.
 */
import t from 'tap'
import { didYouMean } from '../../src/openapi/schema/violations.ts'

t.test('a name that is at most two letters away is suggested', async (t) => {
  for (const [name, known, guess] of [
    ['stauts', ['name', 'status'], 'status'],
    ['nam', ['name', 'status'], 'name'],
    ['Name', ['name'], 'name'],
    ['naem', ['name', 'names'], 'name'],
  ] as const) {
    t.equal(didYouMean(name, known), ` (did you mean "${guess}"?)`)
  }
})

t.test('no name is suggested if none is similar', async (t) => {
  for (const [name, known] of [
    ['colour', ['name', 'status']],
    ['x', ['id']],
    ['a', ['b']],
    ['name', []],
    ['n'.repeat(65), ['n'.repeat(64)]],
  ] as const) {
    t.equal(didYouMean(name, known), '')
  }
})
