/** The parts of the OpenAPI layer that read documents: for the generator of types, the scripts, and checks of an app. */
export { computeDigests } from './check/digests.ts'
export { getTypeName } from './document/find-operations.ts'
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
export { getTargetPointer, getValueAt, parsePointer, toPointer } from './document/pointers.ts'
export { readDocument } from './document/read.ts'
export { getTarget, resolve, resolvePathItem } from './document/resolve.ts'
export { fillServers, findBaseUrls, getBasePath } from './document/servers.ts'
export { createSchemaSearch, findSchemas, getTypes, toSchema } from './document/subschemas.ts'
export { getNamed, mapValues, toObject, type Values } from './document/values.ts'
export { findNegotiated } from './response/content.ts'
export { getHandlerHeaders, isPastSunset, isServerHeader } from './response/headers.ts'
export type { Branching } from './schema/branching.ts'
export { createPattern } from './schema/formats.ts'
export type { NumberType } from './schema/types.ts'
export type { SchemaView, SchemaViews } from './schema/view.ts'
export { formatViolation } from './schema/violations.ts'
