/**
 * Brings together what the document asks for and what the program has: a handler for each operation, an authenticator
 * for each security scheme, a reader of requests and writers of answers.
 */
import type { FastifyRequest } from 'fastify'
import { kindOf } from './check/implementation.ts'
import type { OpenApi, SecurityScheme } from './model.ts'
import { type Operation, readOperations } from './operations.ts'
import { createSchemaCompiler } from './request/compiler.ts'
import { createInputReader, type InputReader, type RequestInput } from './request/input.ts'
import { createSerialiserCompiler, type Serialiser } from './response/serialiser.ts'

/** Says who sends a request; throws where nobody does whom it knows. */
export type Authenticator<Caller> = (request: FastifyRequest) => Promise<Caller>

/** A handler as the engine calls it; `Handlers` has the types that its author sees. */
export type Handler<Caller> = (request: HandlerRequest<Caller>) => Promise<HandlerAnswer>

export interface HandlerRequest<Caller> extends RequestInput {
  readonly caller: Caller | undefined
  readonly retryWindow: number | undefined
  readonly urlOf: (operationId: string, parameters: object) => string
}

export interface HandlerAnswer {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | number | bigint | boolean>>
}

/** What serves a document; authenticators by the type and scheme that they implement, such as `http bearer`. */
export interface Implementation<Caller> {
  readonly handlers: Readonly<Record<string, Handler<Caller>>>
  readonly authenticators: Readonly<Record<string, Authenticator<Caller>>>
}

/** An operation with all that it takes to serve it. */
export interface BoundOperation<Caller> extends Operation {
  readonly handler: Handler<Caller>
  /** Undefined where the operation is open to all. */
  readonly authenticate: Authenticator<Caller> | undefined
  readonly readInput: InputReader
  /** By status, where there is a body. */
  readonly serialisers: ReadonlyMap<number, Serialiser>
}

/** Binds every operation of a document that has been checked, together with the implementation. */
export function bindOperations<Caller>(
  root: OpenApi,
  implementation: Implementation<Caller>,
): BoundOperation<Caller>[] {
  const { handlers, authenticators } = implementation
  const compile = createSchemaCompiler(root)
  const serialiserOf = createSerialiserCompiler(root, compile)
  return readOperations(root).map((operation) => {
    const { id, responses, security } = operation
    return {
      ...operation,
      handler: handlers[id] as Handler<Caller>,
      authenticate: security === undefined ? undefined : authenticators[kindOf(schemeNamed(root, security))],
      readInput: createInputReader(root, operation, compile),
      serialisers: new Map(
        [...responses].flatMap(([status, { body }]) => (body === undefined ? [] : [[status, serialiserOf(body)]])),
      ),
    }
  })
}

function schemeNamed(root: OpenApi, name: string): SecurityScheme {
  return root.components?.securitySchemes?.[name] as SecurityScheme
}
