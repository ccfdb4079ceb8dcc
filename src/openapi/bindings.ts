/**
 * Brings together what the document asks for and what the program has: a handler for each operation, an authenticator
 * for each security scheme, a validator and a serialiser for each schema. Where one is missing, nothing starts.
 */
import type { FastifyRequest } from 'fastify'
import type { ApiDocument, Problem } from './document.ts'
import { refuse } from './document.ts'
import type { OpenApi } from './model.ts'
import { type Operation, readOperations } from './operations.ts'
import { pointerTo } from './pointer.ts'
import { createSchemaCompiler } from './request/compiler.ts'
import { createInputValidators, type Part, type PartValidator } from './request/input.ts'
import { createSerialiserCompiler, type Serialiser } from './response/serialiser.ts'

/** Says who sends a request; throws where nobody does whom it knows. */
export type Authenticator<Caller> = (request: FastifyRequest) => Promise<Caller>

/** A handler as the engine calls it; `Handlers` has the types that its author sees. */
export type Handler<Caller> = (request: HandlerRequest<Caller>) => Promise<HandlerAnswer>

export interface HandlerRequest<Caller> {
  readonly path: unknown
  readonly query: unknown
  readonly header: unknown
  readonly body: unknown
  readonly caller: Caller | undefined
  readonly urlOf: (operationId: string, parameters: object) => string
}

export interface HandlerAnswer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | number | undefined>>
}

/** What a document is bound to; authenticators by the type and scheme they implement, such as `http bearer`. */
export interface Implementation<Caller> {
  readonly handlers: Readonly<Record<string, Handler<Caller>>>
  readonly authenticators: Readonly<Record<string, Authenticator<Caller>>>
}

/** An operation with all that it takes to serve it. */
export interface BoundOperation<Caller> extends Operation {
  readonly handler: Handler<Caller>
  /** Undefined where the operation is open to all. */
  readonly authenticate: Authenticator<Caller> | undefined
  readonly validators: Readonly<Record<Part, PartValidator>>
  readonly serialisers: ReadonlyMap<number, Serialiser>
}

/** Binds every operation of a checked document. Throws a DocumentError that names everything that does not fit. */
export function bindOperations<Caller>(
  document: ApiDocument,
  implementation: Implementation<Caller>,
): BoundOperation<Caller>[] {
  const { root } = document
  const { handlers } = implementation
  const problems: Problem[] = []
  const operations = readOperations(root)
  const compileSchema = createSchemaCompiler(root)
  const compileSerialiser = createSerialiserCompiler(root)

  for (const id of Object.keys(handlers).filter((id) => !operations.some((operation) => operation.id === id))) {
    problems.push({
      pointer: '/paths',
      message: `no operation asks for the handler "${id}"; add one or remove the handler`,
    })
  }
  const bound = operations.map((operation) => {
    const { id, pointer } = operation
    const attempt = <Result>(place: string, make: () => Result) => {
      try {
        return make()
      } catch (error) {
        const message = `${(error as Error).message}; change the schema`
        problems.push({ pointer: `${pointer}${place}`, message })
        return undefined
      }
    }
    if (!Object.hasOwn(handlers, id)) {
      problems.push({
        pointer: `${pointer}/operationId`,
        message: `"${id}" has no handler; write one or remove the operation`,
      })
    }
    return {
      ...operation,
      handler: handlers[id] as Handler<Caller>,
      authenticate: findAuthenticator(root, operation, implementation, problems),
      validators: attempt('', () => createInputValidators(root, operation, compileSchema)) as Record<
        Part,
        PartValidator
      >,
      serialisers: new Map(
        [...operation.responses].flatMap(([status, { body }]) => {
          const serialiser = body && attempt(pointerTo('responses', status), () => compileSerialiser(body))
          return serialiser === undefined ? [] : [[status, serialiser] as const]
        }),
      ),
    }
  })
  refuse(document, problems)
  return bound
}

function findAuthenticator<Caller>(
  root: OpenApi,
  { security }: Operation,
  { authenticators }: Implementation<Caller>,
  problems: Problem[],
): Authenticator<Caller> | undefined {
  const scheme = security === undefined ? undefined : root.components?.securitySchemes?.[security]
  if (security === undefined || scheme === undefined) return undefined
  const kind = `${scheme.type} ${scheme.scheme.toLowerCase()}`
  if (!Object.hasOwn(authenticators, kind)) {
    const known = Object.keys(authenticators).join(', ') || 'none'
    const message = `the security scheme "${kind}" has no implementation; use one of: ${known}`
    problems.push({ pointer: pointerTo('components', 'securitySchemes', security), message })
  }
  return authenticators[kind]
}
