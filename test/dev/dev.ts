/**
 * `npm run dev` as a process, on a document or a whole checkout in a folder of its own.
 */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { type Call, type HttpResponse, send } from '../helpers/http.ts'
import { type RunningProcess, startNode, startScript } from '../helpers/process.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { waitUntil } from '../helpers/wait.ts'

const root = join(import.meta.dirname, '../..')

/** The key that requests have by default. */
export const KEY = '0123456789abcdef'

export interface Dev extends RunningProcess {
  readonly origin: string
  read(name: string): string
  save(name: string, text: string): void
  /** Replaces a text that a file has, in place. */
  edit(name: string, text: string, replacement: string): void
  call(method: string, path: string, call?: Call): Promise<HttpResponse>
  /** Resolves with the response to a GET request when it is as the function says. */
  untilGet(path: string, isRight: (response: HttpResponse) => boolean): Promise<HttpResponse>
  /** Resolves when the standard output has the text, after what has been waited for before. */
  until(text: string | RegExp): Promise<void>
  /** The same of the standard error. */
  untilProblem(text: string | RegExp): Promise<void>
}

/** Starts the loop on a copy of the spec. */
export function startDev(t: Test): Promise<Dev> {
  const folder = temporaryFolder(t)
  cpSync(join(root, 'openapi.yaml'), join(folder, 'openapi.yaml'))
  return control(startScript(t, 'dev', ['openapi.yaml'], { folder, env }))
}

/** Starts the loop in a copy of the checkout, whose code can be edited. */
export function startDevInCopy(t: Test): Promise<Dev> {
  const folder = temporaryFolder(t)
  const files = ['openapi.yaml', 'package.json', 'tsconfig.json', 'scripts/generate.ts', 'scripts/lib/command.ts']
  for (const name of [...files, 'scripts/dev.ts', 'scripts/dev', 'scripts/generate', 'generated', 'src', 'docs/page']) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return control(startNode(t, [join(folder, 'scripts/dev.ts')], { folder, env }))
}

/** The compiler takes its time on a machine that does other things, too. */
const LONG_WAIT = { timeoutMs: 300_000 }

const env = { API_KEYS: `tests=${KEY}` }

async function control(child: RunningProcess): Promise<Dev> {
  const read = (name: string) => readFileSync(join(child.folder, name), 'utf8')
  const save = (name: string, text: string) => writeFileSync(join(child.folder, name), text)
  const follow = (getText: () => string) => {
    let seen = 0
    return async (text: string | RegExp) => {
      const find = () => {
        const rest = getText().slice(seen)
        const at = typeof text === 'string' ? rest.indexOf(text) : rest.search(text)
        if (at >= 0) seen += at + 1
        return at >= 0
      }
      await waitUntil(find, LONG_WAIT).catch(() => {
        throw new Error(`there is no ${text} in: ${getText().slice(seen)}`)
      })
    }
  }
  const until = follow(child.output)
  await until('served after')
  const origin = String(/API: (http:\/\/[^/]+)/.exec(child.output())?.[1])
  const call = (method: string, target: string, { headers, ...rest }: Call = {}) =>
    send(origin, method, target, { ...rest, headers: { authorization: `Bearer ${KEY}`, ...headers } })
  return {
    ...child,
    read,
    save,
    edit: (name, text, replacement) => {
      const before = read(name)
      if (!before.includes(text)) throw new Error(`${name} does not have ${text}`)
      save(name, before.replace(text, replacement))
    },
    until,
    untilProblem: follow(child.errors),
    origin,
    call,
    untilGet: (target, isRight) => {
      const look = async () => {
        const response = await call('GET', target)
        return isRight(response) ? response : undefined
      }
      return waitUntil(look, { ...LONG_WAIT, intervalMs: 50 })
    },
  }
}
