import t from 'tap'
import { formatError } from '../../scripts/lib/command.ts'

t.test('an error is formatted with the message of its cause, unless it repeats that', async (t) => {
  const cause = new Error('the disk is full')
  t.equal(formatError(new Error('cannot write', { cause })), 'cannot write (the disk is full)')
  t.equal(formatError(new Error('cannot write: the disk is full', { cause })), 'cannot write: the disk is full')
  t.equal(formatError(new Error('cannot write', { cause: 'unknown' })), 'cannot write')
})
