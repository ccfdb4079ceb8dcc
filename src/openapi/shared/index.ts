/** What the layer shares with apps: errors, exact JSON, and the fields and bodies of HTTP messages. */
import './node-version.ts'

export { DocumentError, HttpError, type ResponseHeaders, toError } from './errors.ts'
export {
  awaitsContinue,
  continueOnRead,
  discardBody,
  getFieldValues,
  hasBody,
  matchesETag,
  whenBodyEnds,
} from './http.ts'
export { stringifyExactly } from './json.ts'
