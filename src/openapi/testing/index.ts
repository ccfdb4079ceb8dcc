/** The entry `fastify-openapi-first/testing`: what apps use in their tests. */
import '../shared/node-version.ts'

export { checkOperations, type OperationCheckOptions } from './check-operations.ts'
export { createResponseCheck, type ResponseCheckOptions } from './response-check.ts'
