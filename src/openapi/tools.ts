/** The parts of the OpenAPI layer that read documents, for programs that check them. README.md documents every name. */
import './shared/node-version.ts'

export { computeDigests } from './check/digests.ts'
export type { ReadOptions } from './document/files.ts'
export type { Direction, Schema } from './document/model.ts'
export { allowsAnonymous, toPattern } from './document/operations.ts'
export { formatProblems, type ParsedDocument, type Problem, throwProblems } from './document/parse.ts'
export { getTargetPointer, getValueAt, parsePointer, toPointer } from './document/pointers.ts'
export { readDocument } from './document/read.ts'
export { getReferences } from './document/references.ts'
export { fillServers, findBaseUrls, getBasePath } from './document/servers.ts'
export { toObject, type Values } from './document/values.ts'
export { isPastSunset } from './response/headers.ts'
