/** Checks the options of the plugin: a program without types may give them any value. */
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { getKind } from '../document/content.ts'
import type { Operation } from '../document/operations.ts'
import type { Problem } from '../document/problems.ts'
import { parseBasePath } from '../document/servers.ts'
import type { UploadFolder } from '../request/upload-folder.ts'
import type { SchemaCompiler } from '../schema/compiler.ts'

/** Reports the option `basePath` if it is not a path. */
export function checkBasePath(basePath: string | undefined): Problem[] {
  if (basePath === undefined || parseBasePath(basePath) !== undefined) return []
  const message = `the option basePath is "${basePath}", which is not a path; write a path such as /v1`
  return [{ pointer: '', message }]
}

/** Reports an option with a value that is none of the choices. */
export function checkChoice(name: string, value: unknown, choices: readonly unknown[]): Problem[] {
  if (value === undefined || choices.includes(value)) return []
  const message = `the option ${name} is ${JSON.stringify(value)}; use one of: ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`
  return [{ pointer: '', message }]
}

/** The longest time that a timer of Node can have, in milliseconds. */
const MAX_INTERVAL = 2 ** 31 - 1

/** Reports the option `keepAliveInterval` if it is not a time. */
export function checkInterval(interval: number | undefined): Problem[] {
  if (interval === undefined || (Number.isInteger(interval) && interval >= 0 && interval <= MAX_INTERVAL)) return []
  const message = `the option keepAliveInterval is ${interval}; use an integer from 0 to ${MAX_INTERVAL}`
  return [{ pointer: '', message }]
}

/** Reports arrays and objects in paths if the router of the app ends a path at a semicolon: their styles may have one. */
export function checkRouterOptions(
  operations: readonly Operation[],
  { useSemicolonDelimiter, routerOptions }: FastifyInstance['initialConfig'],
  { views }: SchemaCompiler,
): Problem[] {
  // The types of Fastify lack this option of its router.
  const isEnded = useSemicolonDelimiter || (routerOptions as FastifyServerOptions)?.useSemicolonDelimiter
  if (!isEnded) return []
  return operations.flatMap(({ parameters, pointer }) =>
    parameters
      .filter((parameter) => parameter.in === 'path' && !views.get(parameter.schema).isScalar)
      .map(({ name }) => ({
        pointer,
        message: `the path parameter "${name}" is an array or object, which may have semicolons; remove Fastify's option useSemicolonDelimiter`,
      })),
  )
}

/** Reports each operation with files of forms if the folder for files cannot be written. */
export function checkUploads(operations: readonly Operation[], uploadFolder: UploadFolder): Problem[] {
  const uploads = operations.filter(({ requestBody }) =>
    requestBody?.content.some(({ isStreamed, type }) => isStreamed && getKind(type) === 'form'),
  )
  if (uploads.length === 0 || uploadFolder.isWritable()) return []
  const message = `files cannot be written to the folder "${uploadFolder.folder}"; create it, or change the option uploadFolder`
  return uploads.map(({ pointer }) => ({ pointer: `${pointer}/requestBody`, message }))
}
