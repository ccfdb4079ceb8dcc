/** The OpenAPI layer, as an app uses it. docs/entries.md documents every name; `tools.ts` has what checks of documents need besides. */
import './shared/node-version.ts'

export type { Digests } from './check/digests.ts'
export { type LoadOptions, loadDocument, type OpenApiDocument } from './check/document.ts'
export type { ServerVariables } from './document/servers.ts'
export type { OperationRequest } from './operation/exchange.ts'
export { saveInput } from './operation/saved-input.ts'
export { openapi } from './plugin/plugin.ts'
export type { OpenApiOptions } from './plugin/plugin-options.ts'
export type { Caller, SecurityFunction } from './request/security.ts'
export { DocumentError, HttpError, type Violation } from './shared/errors.ts'
