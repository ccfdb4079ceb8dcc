/** What all commands have in common, their help and wrong usage; and `npm run seed`. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { formatError, readArguments, UsageError } from '../../src/command.ts'
import type { PetStatus } from '../../src/stores/store.ts'
import { sharedDatabases } from '../helpers/databases.ts'
import { runScript } from '../helpers/process.ts'
import { listAll, rex, using } from '../helpers/stores.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

for (const name of ['backup', 'bench', 'dev', 'generate', 'keys', 'move', 'pack', 'seed', 'spec-diff']) {
  t.test(`${name} prints its arguments, options and an example when it is asked for help`, async (t) => {
    const folder = temporaryFolder(t)
    const command = `npm run ${name.replace('-', ':')}`
    const { status, stdout, stderr } = await runScript(t, name, ['a', '--help', 'b'], { folder })
    t.strictSame([status, stderr], [0, ''])
    t.ok(stdout.startsWith(`usage: ${command} `), stdout)
    const parts = ['\nOptions:\n', '  -h, --help ', '\nExample:\n', command, '\nExit status: 0 ']
    for (const part of /^(bench|generate)$/.test(name) ? parts : [...parts, '\nArguments:\n']) t.match(stdout, part)
    t.ok(stdout.split('\n').every((line) => line.length <= 120))

    const wrong = await runScript(t, name, ['a', '--what', 'b'], { folder })
    t.strictSame(wrong, { status: 2, stdout: '', stderr: `unknown option '--what'; see ${command} -- --help\n` })
    t.strictSame(readdirSync(folder), [])
  })
}

const usage = {
  command: 'npm run paint',
  help: 'usage: npm run paint -- WALL [COLOUR]',
  names: ['WALL', '[COLOUR]'],
  options: { coats: { type: 'string' }, fast: { type: 'boolean', short: 'f' } },
} as const

t.test('arguments are read in order, with options between them', async (t) => {
  for (const [args, texts, values] of [
    [['north'], ['north'], {}],
    [['north', '--coats', '2', 'red', '-f'], ['north', 'red'], { coats: '2', fast: true }],
    [['--coats=2', '--', '--north'], ['--north'], { coats: '2' }],
  ] as const) {
    const read = readArguments(args, usage)
    t.strictSame([read.texts, { ...read.values }], [texts, values])
  }
  t.strictSame(readArguments(['a', 'b', 'c'], { ...usage, names: ['WALL', '...'] }).texts, ['a', 'b', 'c'])
})

t.test('wrong usage is reported in one line that names the help and repeats no argument', async (t) => {
  for (const [args, message] of [
    [[], 'WALL is missing'],
    [[''], 'WALL is missing'],
    [['a', 'b', 'secret'], 'there are too many arguments'],
    [['a', '-x'], "unknown option '-x'"],
    [['a', '--coats'], "option '--coats <value>' argument missing"],
    [['a', '--coats', '--fast'], "option '--coats' argument is ambiguous"],
    [['a', '--fast=secret'], "option '-f, --fast' does not take an argument"],
  ] as const) {
    const error = new UsageError(`${message}; see npm run paint -- --help`)
    t.throws(() => readArguments(args, usage), error, args.join(' '))
  }
  t.throws(() => readArguments(['--slow', '-h', 'b', 'c'], usage), { name: 'HelpRequest', message: usage.help })
})

t.test('an error is formatted with the message of its cause, unless it repeats that', async (t) => {
  const cause = new Error('the disk is full')
  t.equal(formatError(new Error('cannot write', { cause })), 'cannot write (the disk is full)')
  t.equal(formatError(new Error('cannot write: the disk is full', { cause })), 'cannot write: the disk is full')
})

for (const database of sharedDatabases) {
  t.test(`${database.name}: seed adds animals, most available, some pending, the last few sold`, async (t) => {
    const url = await database.fresh(t)
    const { status, stdout, stderr } = await runScript(t, 'seed', [url, '30'])
    t.strictSame([status, stdout, stderr], [0, '', ''])
    await using(url, async (store) => {
      const all = await listAll(store)
      t.same(
        all.map(({ id }) => Number(id)),
        Array.from({ length: 30 }, (_, index) => index + 1),
      )
      const idsOf = (status: PetStatus) => all.filter((pet) => pet.status === status).map(({ id }) => Number(id))
      t.same(idsOf('pending'), [10, 20])
      t.same(idsOf('sold'), [26, 27, 28, 29, 30])
      t.equal((await store.pets.add(rex)).id, 31n)
    })
    // In two batches, behind those that are there.
    t.equal((await runScript(t, 'seed', [url, '12345'])).status, 0)
    const found = await using(url, listAll)
    t.same([found.length, found.at(-1)?.id], [12_376, 12_376n])
  })
}

t.test('seed reports a store that cannot be opened, and a COUNT that is none, in one line', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'note.txt'), 'not a store, but long enough to be looked at as one; '.repeat(100))
  for (const [args, status, message] of [
    [['sqlite:note.txt', '1'], 1, /^cannot open the store sqlite:note\.txt: [^\n]+\n$/],
    [['sqlite::memory:', '1'], 2, /^a store in memory is gone when this ends; name a file\n$/],
    [['sqlite:animals.db', '0'], 2, /^"0" is not a COUNT; use an integer from 1 to 9999999999\n$/],
    [['sqlite:animals.db', '1e3'], 2, /^"1e3" is not a COUNT; use an integer from 1 to 9999999999\n$/],
  ] as const) {
    t.match(await runScript(t, 'seed', args, { folder }), { status, stdout: '', stderr: message })
  }
})
