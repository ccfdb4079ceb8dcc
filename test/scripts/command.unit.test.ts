import t from 'tap'
import { formatError, readArguments, UsageError } from '../../scripts/lib/command.ts'

t.test('an error is formatted with the message of its cause, unless it repeats that', async (t) => {
  const cause = new Error('the disk is full')
  t.equal(formatError(new Error('cannot write', { cause })), 'cannot write (the disk is full)')
  t.equal(formatError(new Error('cannot write: the disk is full', { cause })), 'cannot write: the disk is full')
  t.equal(formatError(new Error('cannot write', { cause: 'unknown' })), 'cannot write')
})

const usage = {
  command: 'npm run paint',
  help: 'usage: npm run paint -- WALL [COLOUR]',
  names: ['WALL', '[COLOUR]'],
  options: { coats: { type: 'string' }, fast: { type: 'boolean', short: 'f' } },
} as const

t.test('arguments are read in order, with options between them', async (t) => {
  const read = (...args: string[]) => {
    const { texts, values } = readArguments(args, usage)
    return { texts, values: { ...values } }
  }
  t.strictSame(read('north'), { texts: ['north'], values: {} })
  t.strictSame(read('north', '--coats', '2', 'red', '-f'), {
    texts: ['north', 'red'],
    values: { coats: '2', fast: true },
  })
  t.strictSame(read('--coats=2', '--', '--north'), { texts: ['--north'], values: { coats: '2' } })
})

t.test('any number of arguments may follow an ellipsis', async (t) => {
  const open = { ...usage, names: ['WALL', '...'] } as const
  t.strictSame(readArguments(['a', 'b', 'c'], open).texts, ['a', 'b', 'c'])
  t.strictSame(readArguments(['a'], open).texts, ['a'])
  t.throws(() => readArguments([], open), { message: 'WALL is missing; see npm run paint -- --help' })
})

t.test('wrong usage is reported in one line that names the help and repeats no argument', async (t) => {
  for (const [args, message] of [
    [[], 'WALL is missing'],
    [[''], 'WALL is missing'],
    [['--fast'], 'WALL is missing'],
    [['a', 'b', 'secret'], 'there are too many arguments'],
    [['a', '--slow'], "unknown option '--slow'"],
    [['a', '-x'], "unknown option '-x'"],
    [['a', '--coats'], "option '--coats <value>' argument missing"],
    [['a', '--coats', '--fast'], "option '--coats' argument is ambiguous"],
    [['a', '--fast=secret'], "option '-f, --fast' does not take an argument"],
  ] as const) {
    t.throws(
      () => readArguments(args, usage),
      new UsageError(`${message}; see npm run paint -- --help`),
      args.join(' '),
    )
  }
})

t.test('--help is recognized at every position, and with other arguments that are wrong', async (t) => {
  for (const args of [['--help'], ['-h'], ['a', '--help'], ['--slow', '-h', 'a', 'b', 'c']]) {
    t.throws(() => readArguments(args, usage), { name: 'HelpRequest', message: usage.help })
  }
})
