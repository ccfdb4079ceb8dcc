/** The log for people: a line for each request, such as `GET /v1/pets 200 1.4 ms listPets first-key`. */
import { styleText } from 'node:util'
import { prettyFactory } from 'pino-pretty'

/** The line of a request in the log of the service. */
interface RequestEvent {
  readonly req?: { readonly method: string; readonly path: string }
  readonly res?: { readonly statusCode: number; readonly code?: string }
  readonly ms?: number
  readonly operationId?: string
  readonly key?: string
}

const formatEvent = prettyFactory({
  singleLine: true,
  ignore: 'pid,hostname,time',
  colorize: process.stdout.isTTY,
})

/** Turns a line of JSON into one for people. */
export function prettify(line: string): string {
  const { req, res, ms, operationId, key }: RequestEvent = JSON.parse(line)
  if (req === undefined || res === undefined || ms === undefined) return formatEvent(line)
  const { statusCode: status, code } = res
  const color = status < 300 ? 'green' : status < 400 ? 'cyan' : status < 500 ? 'yellow' : 'red'
  const words = [req.method, req.path, styleText(color, String(status)), `${ms.toFixed(1)} ms`, operationId, key, code]
  return `${words.filter((word) => word !== undefined).join(' ')}\n`
}
