/** The parts of the OpenAPI layer that read documents: for the generator of types, the scripts, and checks of an app. */
export { computeDigests } from './check/digests.ts'
export type { Direction, OpenApi, PathItem, Schema } from './document/model.ts'
export {
  allowsAnonymous,
  type Content,
  findResponse,
  getHandlerParameters,
  getKind,
  getRequestSchemas,
  getResponseSchemas,
  isChoice,
  MEDIA_TYPE,
  type Response,
  type ResponseKey,
  readOperations,
  STATUSES_WITHOUT_BODY,
  sendsItems,
  toPattern,
} from './document/operations.ts'
export { formatProblems, type ParsedDocument, type Problem, throwProblems } from './document/parse.ts'
export { readDocument } from './document/read.ts'
export {
  createSchemaSearch,
  findSchemas,
  getNamed,
  getTarget,
  getTargetPointer,
  getTypeName,
  getTypes,
  getValueAt,
  mapSchema,
  mapValues,
  parsePointer,
  resolve,
  resolvePathItem,
  toObject,
  toPointer,
  toSchema,
  type Values,
} from './document/references.ts'
export { fillServers, findBaseUrls } from './document/servers.ts'
export { findNegotiated } from './response/content.ts'
export { getHandlerHeaders, isPastSunset, isServerHeader } from './response/headers.ts'
export type { Branching } from './schema/branching.ts'
export { createPattern } from './schema/formats.ts'
export type { NumberType } from './schema/types.ts'
export type { SchemaView, SchemaViews } from './schema/view.ts'
export { formatViolation } from './schema/violations.ts'
