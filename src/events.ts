/**
 * The diagnostics channels on which the service publishes what happens. A channel without a subscriber costs nothing.
 */
import { channel } from 'node:diagnostics_channel'

/** Has the `RequestLine` of each request. The async context may be that of another request of the same turn. */
export const requests = channel('animal-store:request')
/** Has the error code of each request that is refused. */
export const refusals = channel('animal-store:refusal')
/** Has the number of writes of each commit. */
export const commits = channel('animal-store:commit')
