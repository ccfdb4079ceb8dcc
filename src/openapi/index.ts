/**
 * The OpenAPI layer: from a document to a running API. The rest of the service imports this file only.
 */
export { type Api, compileApi } from './api.ts'
export { checkDocument } from './check/index.ts'
export { DocumentError, loadDocument, type OpenApiDocument, throwProblems } from './document/load.ts'
export type { Header, OpenApi, Schema } from './document/model.ts'
export { MEDIA_TYPE, type Operation, type Response, readOperations } from './document/operations.ts'
export { resolve } from './document/references.ts'
export { getDefault, mapSchema, mapValues } from './document/schemas.ts'
export { fillServers, getBasePath, type ServerVariables } from './document/servers.ts'
export { addOperations, methodNotAllowed, ROUTER_OPTIONS, type Stages } from './fastify.ts'
export type { Authenticator } from './plan.ts'
export { unsupportedMediaType } from './request/content.ts'
export { getFieldValues } from './request/header-fields.ts'
export { isPastSunset } from './response/deprecation.ts'
export { isOptionalHeader, isServerHeader } from './response/headers.ts'
