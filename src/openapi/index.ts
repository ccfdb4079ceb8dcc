/**
 * The OpenAPI layer: from a document to a running API. The rest of the service imports this file only.
 */
export { type Api, checkDocument, compileApi } from './api.ts'
export type { Samples } from './check/responses.ts'
export { computeDigests, type Digests } from './digests.ts'
export { DocumentError, loadDocument, type OpenApiDocument, throwProblems } from './document/load.ts'
export type { Header, OpenApi, Schema } from './document/model.ts'
export { METHODS } from './document/model.ts'
export {
  findResponse,
  getTypeName,
  isServerParameter,
  MEDIA_TYPE,
  type Operation,
  type Response,
  type ResponseKey,
  readOperations,
  type SecurityAlternative,
  type SecurityRequirement,
} from './document/operations.ts'
export {
  findOperations,
  getEntries,
  getValueAt,
  parsePointer,
  resolve,
  toObject,
  toPointer,
  type Values,
} from './document/references.ts'
export { getDefault, mapSchema, mapValues } from './document/schemas.ts'
export { fillServers, getBasePath, type ServerVariables } from './document/servers.ts'
export { addOperations, ROUTER_OPTIONS, type Stages } from './fastify.ts'
export { implement } from './handlers.ts'
export type { Handler } from './plan.ts'
export { getFieldValues, unsupportedMediaType } from './request/headers.ts'
export type { Authenticator, Security } from './request/security.ts'
export { matchesETag } from './response/conditional.ts'
export { isPastSunset, isSent, isServerHeader } from './response/headers.ts'
export { sendResponse } from './response/send.ts'
