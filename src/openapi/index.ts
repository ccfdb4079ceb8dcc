/**
 * The OpenAPI layer: from a document to a running API. The rest of the service imports this file only.
 */
export { type Api, checkDocument, compileApi } from './api.ts'
export type { Samples } from './check/implementation.ts'
export { computeDigests, type Digests } from './digests.ts'
export * from './document/load.ts'
export * from './document/model.ts'
export * from './document/operations.ts'
export * from './document/references.ts'
export { fillServers, type ServerVariables } from './document/servers.ts'
export { addOperations, ROUTER_OPTIONS, type Stages } from './fastify.ts'
export { implement } from './handlers.ts'
export type { Handler } from './plan.ts'
export { getFieldValues, unsupportedMediaType } from './request/headers.ts'
export type { Authenticator, Security } from './request/security.ts'
export { matchesETag } from './response/conditional.ts'
export { isPastSunset, isSent, isServerHeader } from './response/headers.ts'
export { sendResponse } from './response/send.ts'
