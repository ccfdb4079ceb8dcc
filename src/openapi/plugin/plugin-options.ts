/** The options of the plugin, which follow from the generated types of a document. */
import type { FastifyInstance } from 'fastify'
import type { Digests } from '../check/digests.ts'
import type { OpenApiDocument } from '../check/document.ts'
import type { OperationRouteOptions } from '../check/route-options.ts'
import type { ServerVariables } from '../document/servers.ts'
import type { Handlers, Implementation, MissingHandlers } from '../operation/implementation.ts'
import type { Caller, SecurityFunction } from '../request/security.ts'

/** The options, whatever the document. */
export interface ApiOptions extends Implementation {
  readonly document: OpenApiDocument
  /** Values for the variables of the servers, by name; by default, the defaults of the document. */
  readonly servers?: ServerVariables
  /**
   * The path that precedes the path of each operation: `/v1`, or an empty string for the root. By default, it is the path of the first server
   * of the document. With this option, servers may have any path.
   */
  readonly basePath?: string
  /** The path below which a proxy publishes the app, without a trailing slash; URLs for clients begin with it. */
  readonly publicPath?: string
  /** The folder for the files of streamed forms, while their requests last; by default, the system's folder for temporary files. */
  readonly uploadFolder?: string
  /** The digests of the spec that the handlers' types were generated from: a document with others is rejected. */
  readonly digests?: Digests
}

/** What the generated `Api` says of its document. */
export interface ApiTypes {
  /** By operationId. */
  readonly handlers: object
  /** The client that security functions return, and handlers receive. */
  readonly caller: object
  /** The names of the security schemes that operations need. */
  readonly schemes: string
}

/** The types of a document for which none are generated. */
interface UntypedApi {
  readonly handlers: Handlers
  readonly caller: Caller
  readonly schemes: string
}

/** The options of the plugin. With the generated `Api` of a document, handlers and security functions have its types. */
export type OpenApiOptions<Api extends ApiTypes = UntypedApi> = Omit<
  ApiOptions,
  'handlers' | 'missingHandlers' | 'routes' | 'security'
> &
  RoutesOption<Api> &
  HandlerOptions<Api> &
  SecurityOption<Api>

/** The options of routes, by operationId. */
interface RoutesOption<Api extends ApiTypes> {
  readonly routes?: Readonly<Partial<Record<keyof Api['handlers'], OperationRouteOptions>>>
}

/** The handlers by operationId. Some may be missing if the option `missingHandlers` says what becomes of their operations. */
type HandlerOptions<Api extends ApiTypes> = string extends keyof Api['handlers']
  ? Pick<ApiOptions, 'handlers' | 'missingHandlers'>
  :
      | (Pick<ApiOptions, 'missingHandlers'> & { readonly handlers: Api['handlers'] })
      | { readonly handlers?: Partial<Api['handlers']>; readonly missingHandlers: Exclude<MissingHandlers, 'error'> }

/** The option `security`, which may be left out if no operation needs it, or if that is not known. */
type SecurityOption<Api extends ApiTypes> = Api['schemes'] extends never
  ? { readonly security?: Readonly<Record<string, never>> }
  : string extends Api['schemes']
    ? { readonly security?: SecurityFunctions<Api> }
    : { readonly security: SecurityFunctions<Api> }

/** By the names in `components.securitySchemes`: functions that find the client with a given credential. */
type SecurityFunctions<Api extends ApiTypes> = Readonly<
  Record<Api['schemes'], SecurityFunction<Api['caller'] & Caller>>
>

/** The plugin. `openapi<Api<Client>>` is the plugin for the document of these generated types. */
export interface OpenApiPlugin {
  <Api extends ApiTypes>(app: FastifyInstance, options: OpenApiOptions<Api>): Promise<void>
  // The last signature counts where types are inferred, as those of inline functions in `register(openapi, { … })`.
  (app: FastifyInstance, options: OpenApiOptions): Promise<void>
}
