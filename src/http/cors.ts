/**
 * Cross-origin requests (Fetch Standard, CORS protocol), for the origins that the operator lists.
 */
import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import type { Operation } from '../openapi/index.ts'

/** Allows pages of these origins to call the operations, and to read every header that the operations declare. */
export async function addCors(
  app: FastifyInstance,
  operations: readonly Operation[],
  origins: readonly string[],
): Promise<void> {
  const parameters = operations.flatMap((operation) => operation.parameters.filter((each) => each.in === 'header'))
  const headers = operations.flatMap(({ responses }) =>
    [...responses.values()].flatMap((each) => Object.keys(each.headers)),
  )
  await app.register(cors, {
    origin: [...origins],
    strictPreflight: false,
    methods: [...new Set(operations.map(({ method }) => method.toUpperCase()))],
    allowedHeaders: ['Authorization', 'Content-Type', ...new Set(parameters.map(({ name }) => name))],
    exposedHeaders: [...new Set(headers)],
  })
}
