/**
 * The type checker of `npm run dev`, a process that is kept alive: after an edit, only what depends on it is checked again.
 * The files of `src/` come first, because an edit of the spec concerns them, and the tests take most of the time.
 */
import { join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import ts from 'typescript'
import { findNextStep } from './advice.ts'

/** A message to the supervisor: a line for each error in `src/`, those with a next step first; then those in other files. */
export interface TypeCheck {
  readonly scope: 'src' | 'others'
  readonly errors: readonly string[]
}

const root = join(import.meta.dirname, '../..')

/** The longest type that is shown in a message. The types of handlers and stores fill a terminal. */
const MAX_TYPE = 60

type Program = ts.SemanticDiagnosticsBuilderProgram

let latest: Program | undefined
const host = ts.createWatchCompilerHost(
  join(root, 'tsconfig.json'),
  // What `npm run types` has found out is not checked again: the first results come after a third of the time.
  { incremental: true, tsBuildInfoFile: join(root, 'node_modules/.cache/tsc.json') },
  ts.sys,
  ts.createSemanticDiagnosticsBuilderProgram,
  // Both report to the terminal by default.
  () => {},
  () => {},
)
host.afterProgramCreate = (program) => {
  latest = program
  void check(program)
}
ts.createWatchProgram(host)

/** Checks the files of a program one by one, until there is a later program. */
async function check(program: Program): Promise<void> {
  // Forgets the results of all files that depend on an edit. Otherwise, they would be checked in an order of the compiler's own.
  program.getSemanticDiagnosticsOfNextAffectedFile(undefined, () => true)
  const files = program.getSourceFiles().filter(({ fileName }) => !fileName.includes('/node_modules/'))
  const isInSrc = ({ fileName }: ts.SourceFile) => fileName.startsWith(`${root}/src/`)
  for (const scope of ['src', 'others'] as const) {
    const errors = scope === 'others' ? [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()] : []
    for (const file of files.filter((file) => isInSrc(file) === (scope === 'src'))) {
      const syntaxErrors = program.getSyntacticDiagnostics(file)
      errors.push(...(syntaxErrors.length > 0 ? syntaxErrors : program.getSemanticDiagnostics(file)))
      // An edit that was noticed meanwhile makes the next program here.
      await setImmediate()
      if (program !== latest) return
    }
    const lines = errors.map(format)
    const withSteps = lines.flatMap((line) =>
      findNextStep(line) === undefined ? [] : `${line}; ${findNextStep(line)}`,
    )
    const withoutSteps = lines.filter((line) => findNextStep(line) === undefined)
    const message: TypeCheck = { scope, errors: [...withSteps, ...withoutSteps] }
    process.send?.(message)
  }
}

/** Formats an error as `FILE:LINE:COLUMN: MESSAGE`. */
function format({ file, start, messageText }: ts.Diagnostic): string {
  const [message = ''] = ts.flattenDiagnosticMessageText(messageText, '\n').split('\n')
  const text = message.replace(/\.$/, '').replaceAll(new RegExp(`'[^']{${MAX_TYPE},}'`, 'g'), "'…'")
  if (file === undefined) return text
  const { line, character } = file.getLineAndCharacterOfPosition(start ?? 0)
  return `${relative(root, file.fileName)}:${line + 1}:${character + 1}: ${text}`
}
