/**
 * Checks the types of the code in the background: the compiler as a process that watches the files itself.
 */
import { fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { findPlace, type Problem } from './problems.ts'

export interface TypeCheck {
  end(): void
}

/** Checks the project in a folder. `report` is called after each check with everything that is wrong. */
export function checkTypes(folder: string, report: (problems: readonly Problem[]) => void): TypeCheck {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const args = ['--watch', '--preserveWatchOutput', '--pretty', 'false', '--project', folder]
  const child = fork(compiler, args, {
    cwd: folder,
    silent: true,
    execArgv: ['--import', import.meta.resolve('./end-with-parent.ts')],
  })
  // People wait for the service, not for the compiler.
  if (child.pid !== undefined) setPriority(child.pid, 5)
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
    const end = /Found \d+ errors?\. Watching for file changes\.\s*$/.exec(output)
    if (end === null) return
    report(parseDiagnostics(output.slice(0, end.index)))
    output = ''
  })
  return { end: () => void child.kill() }
}

/** Reads the compiler's lines `FILE(LINE,COLUMN): error TS1234: MESSAGE`; indented lines after one explain it. */
export function parseDiagnostics(output: string): Problem[] {
  const found: Problem[] = []
  for (const line of output.split(/\r?\n/)) {
    const [, file, row, column, message] = /^(\S[^(]*)\((\d+),(\d+)\): error (.+)$/.exec(line) ?? []
    const last = found.at(-1)
    if (file !== undefined && message !== undefined) {
      found.push({ place: findPlace(file, Number(row), Number(column)), message })
    } else if (/^error TS/.test(line)) {
      found.push({ place: undefined, message: line })
    } else if (/^\s+\S/.test(line) && last !== undefined) {
      found[found.length - 1] = { ...last, message: `${last.message}\n${line}` }
    }
  }
  return found
}
