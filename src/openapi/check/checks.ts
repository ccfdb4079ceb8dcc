/** The checks that compare values of a document with each other, by the object that is checked. */
import type { Check } from './context.ts'
import { checkParameter } from './parameters.ts'
import { checkPathItem, checkPaths } from './paths.ts'
import { checkRequestBody } from './request-bodies.ts'
import { checkHeader, checkHeaders, checkResponse, checkResponses } from './responses.ts'
import { checkSchema } from './schemas.ts'
import { checkSecurity } from './security.ts'
import { checkServerVariable } from './servers.ts'

/** The checks by the values of the keyword `check`. */
export const CHECKS: Readonly<Record<string, Check>> = {
  requestBody: checkRequestBody,
  header: checkHeader,
  headers: checkHeaders,
  parameter: checkParameter,
  pathItem: checkPathItem,
  paths: checkPaths,
  response: checkResponse,
  responses: checkResponses,
  schema: checkSchema,
  security: checkSecurity,
  serverVariable: checkServerVariable,
}
