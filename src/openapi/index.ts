/** The OpenAPI layer: what the app and the scripts use of it. They import this file only. */
export { HttpError } from '../errors.ts'
export { compileSupported, loadDocument, type OpenApiDocument } from './check/document.ts'
export { computeDigests, type Digests } from './digests.ts'
export type { Direction, OpenApi, Schema, SchemaType } from './document/model.ts'
export {
  findResponse,
  getHandlerParameters,
  getKind,
  isChoice,
  type Operation,
  type Response,
  type ResponseKey,
  readOperations,
  STATUSES_WITHOUT_BODY,
} from './document/operations.ts'
export { type Problem, throwProblems } from './document/parse.ts'
export {
  findSchemas,
  getNamed,
  getTarget,
  getTypeName,
  getTypes,
  getValueAt,
  mapSchema,
  mapValues,
  parsePointer,
  resolve,
  toObject,
  toPointer,
  toSchema,
  type Values,
} from './document/references.ts'
export { fillServers, findBaseUrls, type ServerVariables } from './document/servers.ts'
export { getType, stringifyExactly } from './json.ts'
export type { Handler, HandlerResponse, OpenApiOptions } from './plan.ts'
export { openapi } from './plugin.ts'
export { discardBody, hasBody } from './request/body.ts'
export type { Caller, Security, SecurityFunction } from './request/security.ts'
export { getFieldValues } from './request/text.ts'
export { matchesETag, type Revision } from './response/cache.ts'
export { findNegotiated } from './response/content.ts'
export { getHandlerHeaders, isPastSunset, isServerHeader } from './response/headers.ts'
export { createPattern } from './schema/formats.ts'
export type { Union } from './schema/union.ts'
export type { NumberType, SchemaView, SchemaViews } from './schema/view.ts'
export { formatViolation } from './schema/violations.ts'
export type { Snapshot } from './together.ts'
