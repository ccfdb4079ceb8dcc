/** The checks that compare values of a document with each other, by the object that is checked. */
import type { Check } from './context.ts'
import { checkContent, checkHeaders } from './names.ts'
import { checkParameter } from './parameters.ts'
import { checkPaths } from './paths.ts'
import { checkRequestBody } from './request-bodies.ts'
import { checkHeader, checkResponse, checkResponses } from './responses.ts'
import { checkSchema } from './schemas.ts'
import { checkSecurity } from './security.ts'

/** The checks by the values of the keyword `check` in supported.yaml. */
export const CHECKS = {
  content: checkContent,
  header: checkHeader,
  headers: checkHeaders,
  parameter: checkParameter,
  paths: checkPaths,
  requestBody: checkRequestBody,
  response: checkResponse,
  responses: checkResponses,
  schema: checkSchema,
  security: checkSecurity,
} as const satisfies Readonly<Record<string, Check>>
