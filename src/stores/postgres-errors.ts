/**
 * What a failure of PostgreSQL, or of the way to it, means to the service
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html).
 */
import { DatabaseError } from 'pg'
import { StoreUnavailableError } from './store.ts'

/** Classes and codes of failures that pass when the server has room again, runs again, takes writes again. */
const passing = [
  '08', // connection exception
  '25006', // read-only transaction
  '28', // invalid authorization: the server turns the service away
  '3D', // invalid catalog name: the database is not there
  '40', // transaction rollback
  '53', // insufficient resources
  '55P03', // lock not available
  '57', // operator intervention, time-outs among them
  '58', // system error
]

/** The failure as the interface of the stores has it. */
export function storeErrorOf(error: unknown): unknown {
  return isPassing(error) ? new StoreUnavailableError(error) : error
}

/** Whether the same may succeed later. What is neither the server's word nor a mistake in a call is the connection's. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return !(error instanceof TypeError)
  return passing.some((prefix) => error.code?.startsWith(prefix))
}
