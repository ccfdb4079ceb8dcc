/**
 * What the service tells those who observe it. A diagnostics channel costs nothing while nobody has subscribed to it.
 */
import { channel } from 'node:diagnostics_channel'

/** Has the `RequestLine` of each request, in the async context of any request that is responded to in the same turn. */
export const requests = channel('animal-store:request')
/** Has the error code of each request that is refused. */
export const refusals = channel('animal-store:refusal')
/** Has the number of writes of each commit. */
export const commits = channel('animal-store:commit')
