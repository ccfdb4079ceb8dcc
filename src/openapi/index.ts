/** The OpenAPI layer: what the app and the scripts use of it. They import this file only. */
export { HttpError } from '../errors.ts'
export { computeDigests, type Digests } from './check/digests.ts'
export { compileSupported, loadDocument, type OpenApiDocument } from './check/document.ts'
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
  createSchemaSearch,
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
export { matchesETag, type Revision } from './operation/cache.ts'
export type { Handler, HandlerResponse } from './operation/implementation.ts'
export { type OpenApiOptions, openapi } from './plugin/plugin.ts'
export type { Snapshot } from './plugin/together.ts'
export { discardBody, hasBody } from './request/body.ts'
export type { Caller, Security, SecurityFunction } from './request/security.ts'
export { getFieldValues } from './request/text.ts'
export { findNegotiated } from './response/content.ts'
export { getHandlerHeaders, isPastSunset, isServerHeader } from './response/headers.ts'
export { createPattern } from './schema/formats.ts'
export type { Union } from './schema/union.ts'
export type { NumberType, SchemaView, SchemaViews } from './schema/view.ts'
export { formatViolation } from './schema/violations.ts'
