/** What an app gives the layer for the operations of a document: handlers, security functions, and options. */
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { OpenApiDocument } from '../check/document.ts'
import type { OperationRoutes } from '../check/route-options.ts'
import type { Operation } from '../document/operations.ts'
import type { Security } from '../request/security.ts'
import type { UploadFolder } from '../request/upload-folder.ts'
import type { SerializerCompilers } from '../response/body-plans.ts'
import type { HandlerHeaders, ServerHeaders } from '../response/headers.ts'
import type { AppSerializers } from '../response/serializer.ts'
import type { ResponseHeaders } from '../shared/errors.ts'
import type { Streams } from './streams.ts'
import type { Urls } from './urls.ts'

/** Any handler of the generated `Handlers`. Each takes a request of its own type, so only `never` fits all of them. */
export type Handler = (request: never) => Promise<HandlerResponse>

export type Handlers = Readonly<Record<string, Handler>>

export interface HandlerResponse {
  readonly status: number
  readonly body?: unknown
  readonly headers?: HandlerHeaders
  /** The media type of the body, if several are declared. */
  readonly contentType?: string | undefined
}

/**
 * Responds to a request in place of a missing handler; `accept` is the media type that the client prefers, if the operation has
 * several.
 */
export type Mock = (
  request: FastifyRequest,
  reply: FastifyReply,
  accept: string | undefined,
) => Promise<HandlerResponse>

/** Creates the mocks of a document's operations, such as `mocks` of `fastify-openapi-first/mocks`. */
export type CreateMocks = (document: OpenApiDocument, serverHeaders: ServerHeaders) => (operation: Operation) => Mock

/** What becomes of operations without a handler. */
export type MissingHandlers = 'error' | 'notImplemented' | CreateMocks

export interface Implementation {
  /** By operationId; `missingHandlers` says what becomes of the other operations. */
  readonly handlers?: Handlers
  /**
   * What becomes of operations without a handler. By default, 'error', the document is rejected. With 'notImplemented', they respond
   * with 501 to requests that are authorized and valid; with `mocks` of `fastify-openapi-first/mocks`, with examples.
   */
  readonly missingHandlers?: MissingHandlers
  /** By the names in `components.securitySchemes`: a function that finds the client with a given credential. */
  readonly security?: Security
  /** The names of the headers that the app sets. Of these, a handler may return only Link, Retry-After and WWW-Authenticate. */
  readonly serverHeaders?: readonly string[]
  /**
   * By media types that the layer does not know, in lower case and without parameters: what writes the bodies of responses,
   * `{ 'application/xml': (value) => toXml(value) }`. A value has the members that a body of JSON would have.
   */
  readonly serializers?: AppSerializers
  /** Returns the page that documents an operation, as a URI reference: for the `Link` of a deprecated one (RFC 9745). */
  readonly getDocumentationUrl?: (operation: Pick<Operation, 'id' | 'tag'>) => string
  /**
   * True to validate the headers and the JSON of every response of a handler against their schemas: one that is not valid becomes
   * a 500. With 'report', it is logged and sent. By default, only the types and the required members of JSON are checked.
   */
  readonly validateResponses?: boolean | 'report'
  /**
   * The time after which a stream of events that has sent nothing sends a comment, in milliseconds; 0 for none. By default, 15 seconds.
   * Without it, many proxies end such a stream.
   */
  readonly keepAliveInterval?: number
  readonly hooks?: OperationHooks
  /** By operationId: options of Fastify for the route, with hooks among them. */
  readonly routes?: OperationRoutes
}

/** The app's `onRequest` hooks of every operation. Fastify runs the hooks of a list in order. */
export interface OperationHooks {
  /** After the `onRequest` hooks of the app. The client is not known. */
  readonly beforeIdentify?: readonly onRequestHookHandler[]
  /** The client is `request.openapi.caller`. It may lack a scope: its 403 comes after these hooks. */
  readonly afterIdentify?: readonly onRequestHookHandler[]
  /** The client has the scopes, and the headers of the request are accepted. The body is not read. */
  readonly afterAccept?: readonly onRequestHookHandler[]
}

/** An implementation, and what the operations of its document have in common. */
export interface OperationOptions extends Implementation, SerializerCompilers {
  readonly handlers: Handlers
  readonly urls: Urls
  readonly streams: Streams
  /** The headers with the same constant value in every declared error: for errors whose status is not declared. */
  readonly errorHeaders: ResponseHeaders
  readonly uploadFolder: UploadFolder
  /** Creates what responds in place of a missing handler. */
  readonly createMock: (operation: Operation) => Mock
}
