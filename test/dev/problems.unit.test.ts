/**
 * Reading and formatting problems.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { describeFailure, formatProblems, parseProblems } from '../../scripts/dev/problems.ts'
import { parseDiagnostics } from '../../scripts/dev/types.ts'
import { StartupError } from '../../src/errors.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

t.test('a problem is shown with its line and a caret under the place', (t) => {
  const file = join(temporaryFolder(t), 'openapi.yaml')
  writeFileSync(file, 'openapi: 3.1.0\r\n\tinfos: {}\r\n')
  const problems = parseProblems(`${file}:2:2: "infos" is not supported; remove it\n`)
  const text = `${file}:2:2: "infos" is not supported; remove it\n    2 | \tinfos: {}\n      | \t^`
  t.equal(formatProblems(problems, false), text)
  const colored = `\x1b[1m${file}:2:2\x1b[22m: "infos" is not supported; remove it\n    2 | \tinfos: {}\n      | \t\x1b[31m^\x1b[39m`
  t.equal(formatProblems(problems, true), colored)
  t.end()
})

t.test('a problem is shown without the unknown parts of its place', (t) => {
  const text = 'gone.yaml:7:1: it is wrong\nsomething else is wrong'
  t.equal(formatProblems(parseProblems(`${text}\n\n`), false), text)
  t.end()
})

t.test('only the first of many problems are shown', (t) => {
  const text = Array.from({ length: 25 }, (_each, index) => `gone.yaml:${index + 1}:1: it is wrong`).join('\n')
  const lines = formatProblems(parseProblems(text), false).split('\n')
  t.equal(lines.length, 21)
  t.equal(lines.at(-1), '… and 5 more')
  t.end()
})

t.test('messages of the compiler are read with their explanations', (t) => {
  const output = [
    '12:00:00 - File change detected. Starting incremental compilation...',
    '',
    "gone.ts(3,5): error TS2322: Type 'A' is not assignable to type 'B'.",
    "  Property 'c' is missing.",
    'error TS18003: No inputs were found.',
    '12:00:01 - ',
  ].join('\r\n')
  t.strictSame(parseDiagnostics(output), [
    {
      place: { file: 'gone.ts', line: 3, column: 5, text: undefined },
      message: "TS2322: Type 'A' is not assignable to type 'B'.\n  Property 'c' is missing.",
    },
    { place: undefined, message: 'error TS18003: No inputs were found.' },
  ])
  t.end()
})

t.test('a failure is reported with the place in the code, or with the message alone', (t) => {
  const file = join(process.cwd(), 'src/app.ts')
  const fail = (message: string, stack: string) => describeFailure(Object.assign(new Error(message), { stack }))
  for (const [message, stack, text] of [
    [
      'No comma',
      `file://${file}:7\n  return }\n         ^\nSyntaxError: No comma\n    at a`,
      'src/app.ts:7:10: No comma',
    ],
    ['No end', `${file}:9\nconst a = (\n\nSyntaxError: No end\n    at a`, 'src/app.ts:9:1: No end'],
    [
      'not\nso',
      `Error: not\nso\n    at f (file:///x/node_modules/y/z.js:1:1)\n    at file://${file}:5:3\n    at async node:internal:1:2`,
      'src/app.ts:5:3: not so',
    ],
    [
      'x is no function',
      `TypeError: x is no function\n    at f (file://${file}:5:3)`,
      'src/app.ts:5:3: x is no function',
    ],
    ["Cannot find module 'y'", "Error: Cannot find module 'y'\n    at node:internal:1:2", "Cannot find module 'y'"],
  ] as const) {
    t.strictSame(fail(message, stack), { message: text, isSetup: false })
  }
  t.strictSame(describeFailure('thrown'), { message: 'thrown', isSetup: false })
  t.strictSame(describeFailure(new StartupError('PORT: wrong')), { message: 'PORT: wrong', isSetup: true })
  t.end()
})
