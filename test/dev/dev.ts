/**
 * `npm run dev` as a process, on a spec or a whole checkout in a folder of its own.
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
  /** The path of a file of the folder. */
  path(name: string): string
  read(name: string): string
  /** Replaces a text that a file has, in place. */
  edit(name: string, text: string, replacement: string): void
  call(method: string, path: string, call?: Call): Promise<HttpResponse>
  /** Resolves with the response to a GET request when it is as the function says. */
  untilGet(path: string, isRight: (response: HttpResponse) => boolean): Promise<HttpResponse>
  /** Resolves when the output has the text, after what it has been waited for before. */
  until(text: string | RegExp): Promise<void>
}

/** Starts the loop on a copy of the spec, with further variables. */
export function startDev(t: Test, env: NodeJS.ProcessEnv = {}): Promise<Dev> {
  const folder = temporaryFolder(t)
  cpSync(join(root, 'openapi.yaml'), join(folder, 'openapi.yaml'))
  return control(startScript(t, 'dev', ['openapi.yaml'], { folder, env: { ...environment, ...env } }))
}

/** Starts the loop in a copy of the checkout, whose code can be edited. It has only the commands that the loop needs. */
export function startDevInCopy(t: Test): Promise<Dev> {
  const folder = temporaryFolder(t)
  const files = ['openapi.yaml', 'package.json', 'tsconfig.json', 'scripts/dev.ts', 'scripts/lib/command.ts']
  for (const name of [...files, 'generated', 'src', 'scripts/dev', 'scripts/generate', 'docs/page']) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return control(startNode(t, [join(folder, 'scripts/dev.ts')], { folder, env: environment }))
}

/** The compiler takes its time on a machine that does other things, too. */
const LONG_WAIT = { timeoutMs: 300_000 }

const environment = { API_KEYS: `tests=${KEY}` }

async function control(child: RunningProcess): Promise<Dev> {
  const path = (name: string) => join(child.folder, name)
  const read = (name: string) => readFileSync(path(name), 'utf8')
  let seen = 0
  const dev = {
    ...child,
    path,
    read,
    edit: (name: string, text: string, replacement: string) => {
      const before = read(name)
      if (!before.includes(text)) throw new Error(`${name} does not have ${text}`)
      writeFileSync(path(name), before.replace(text, replacement))
    },
    until: async (text: string | RegExp) => {
      const isThere = () => {
        const output = child.output().slice(seen)
        const at = typeof text === 'string' ? output.indexOf(text) : output.search(text)
        if (at >= 0) seen += at + 1
        return at >= 0
      }
      await waitUntil(isThere, LONG_WAIT).catch(() => {
        throw new Error(`there is no ${text} in: ${child.output().slice(seen)}`)
      })
    },
  }
  await dev.until('the API listens at')
  const origin = String(/listens at (http:[^,]+),/.exec(child.output())?.[1])
  const call = (method: string, target: string, { headers, ...rest }: Call = {}) =>
    send(origin, method, target, { ...rest, headers: { authorization: `Bearer ${KEY}`, ...headers } })
  const untilGet = (target: string, isRight: (response: HttpResponse) => boolean) => {
    const look = async () => {
      const response = await call('GET', target)
      return isRight(response) ? response : undefined
    }
    // Not more often: every process of the loop has work with each request.
    return waitUntil(look, { ...LONG_WAIT, intervalMs: 50 })
  }
  return { ...dev, origin, call, untilGet }
}
