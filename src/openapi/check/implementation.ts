/**
 * Whether the document and the program go together: a handler for each operation, and no other, an authenticator for
 * each security scheme, paths that are free, and error answers like those that the program gives.
 */
import type { Problem } from '../document.ts'
import type { OpenApi, Schema } from '../model.ts'
import { pointerTo } from '../pointer.ts'
import { valueAt } from '../references.ts'
import { entriesOf, findOperations, valuesOf } from './find.ts'

/** What a program has, by name: handlers by operationId, authenticators by scheme (see `kindOf`). */
export interface Implementation {
  readonly handlers: Readonly<Record<string, unknown>>
  readonly authenticators: Readonly<Record<string, unknown>>
}

/** What is missing, and what is there without need. */
export function* checkImplementation(root: OpenApi, { handlers, authenticators }: Implementation): Iterable<Problem> {
  const operations = [...findOperations(root)]
  const ids = operations.map(({ operation }) => operation.operationId)
  for (const id of Object.keys(handlers).filter((id) => !ids.includes(id))) {
    const message = `no operation asks for the handler "${id}"; add one or remove the handler`
    yield { pointer: '/paths', message }
  }
  for (const { pointer, operation } of operations) {
    const id = operation.operationId
    if (typeof id !== 'string' || Object.hasOwn(handlers, id)) continue
    yield { pointer: `${pointer}/operationId`, message: `"${id}" has no handler; write one or remove the operation` }
  }
  const schemes = operations.flatMap(({ operation }) => namesIn(operation.security ?? root.security))
  for (const name of new Set(schemes)) {
    const pointer = pointerTo('components', 'securitySchemes', name)
    const { type, scheme } = valuesOf(valueAt(root, pointer))
    if (typeof type !== 'string' || typeof scheme !== 'string') continue
    const kind = kindOf({ type, scheme })
    if (Object.hasOwn(authenticators, kind)) continue
    const known = Object.keys(authenticators).join(', ') || 'none'
    yield { pointer, message: `the security scheme "${kind}" has no implementation; those there are: ${known}` }
  }
}

/** The paths of the document, behind the path of its servers, that are served already by something else. */
export function* checkReserved(root: OpenApi, basePath: string, reserved: readonly string[]): Iterable<Problem> {
  for (const path of Object.keys(root.paths)) {
    const taken = reserved.find((other) => isWithin(basePath + path, other))
    if (taken === undefined) continue
    const message = `the service has something else at "${taken}"; choose another path`
    yield { pointer: pointerTo('paths', path), message }
  }
}

/** Whether a path template can stand for another path, or for one below it; the root has none below it. */
function isWithin(template: string, other: string): boolean {
  const [segments, others] = [template.split('/'), other.split('/')]
  if (other === '/') return template === '/'
  return others.every((segment, index) => segments[index] === segment || segments[index]?.startsWith('{'))
}

/** An operation as far as its error answers go. */
interface Answering {
  readonly path: string
  readonly method: string
  readonly responses: ReadonlyMap<number, { readonly body: Schema | undefined }>
  readonly serialisers: ReadonlyMap<number, (body: unknown) => string>
}

/** The error answers of a document in which the program's error bodies have no place. */
export function* checkErrorBodies(
  operations: readonly Answering[],
  errorBody: (status: number) => unknown,
): Iterable<Problem> {
  for (const { path, method, responses, serialisers } of operations) {
    for (const [status, serialise] of serialisers) {
      if (status < 400) continue
      try {
        serialise(errorBody(status))
      } catch (error) {
        const message = `the error answers of the service are not like this: ${(error as Error).message}; change the schema`
        // Many answers may have one schema.
        const schema = responses.get(status)?.body?.$ref?.slice(1)
        yield { pointer: schema ?? pointerTo('paths', path, method, 'responses', status), message }
      }
    }
  }
}

/**
 * How authenticators are named: by type and scheme, such as `http bearer`. The case of schemes does not matter (RFC 9110,
 * section 11.1).
 */
export function kindOf({ type, scheme }: { readonly type: string; readonly scheme: string }): string {
  return `${type} ${scheme.toLowerCase()}`
}

function namesIn(security: unknown): string[] {
  return entriesOf(security).flatMap(([, requirement]) => Object.keys(valuesOf(requirement)))
}
