/** The OpenAPI layer: what the app and the scripts use of it. They import this file only. */
export { HttpError } from '../errors.ts'
export { compileSupported, loadDocument, type OpenApiDocument } from './check/document.ts'
export { computeDigests, type Digests } from './digests.ts'
export type { OpenApi, Schema, SchemaType } from './document/model.ts'
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
  type Values,
} from './document/references.ts'
export { fillServers, findBaseUrls, type ServerVariables } from './document/servers.ts'
export { getType, stringifyExactly } from './json.ts'
export type { Handler, HandlerResponse, OpenApiOptions } from './plan.ts'
export { openapi } from './plugin.ts'
export { discardBody, hasBody } from './request/body.ts'
export type { Caller, Security, SecurityFunction } from './request/security.ts'
export { createMembers, getItems, isFile, isScalar } from './request/styles.ts'
export { getFieldValues } from './request/text.ts'
export { matchesETag, type Revision } from './response/cache.ts'
export { findNegotiated } from './response/content.ts'
export { getHandlerHeaders, isPastSunset, isServerHeader } from './response/headers.ts'
export { findDefault } from './schema/converter.ts'
export { createPattern } from './schema/formats.ts'
export { isInt64 } from './schema/keywords.ts'
export { type Direction, findHidden, findInPlace, getPropertySchemas, isHidden, toSchema } from './schema/parts.ts'
export { formatViolation } from './schema/violations.ts'
export type { Snapshot } from './together.ts'
