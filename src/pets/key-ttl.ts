/** The time for which idempotency keys are stored: `x-idempotency-ttl-seconds` of the header parameter `Idempotency-Key`. */

import type { OpenApiDocument } from 'fastify-openapi-first'
import { getTargetPointer, getValueAt, throwProblems, toObject, toPointer } from 'fastify-openapi-first/tools'

/** At most a thousand years: the clocks of the databases do not go much further. */
const MAX_SECONDS = 31_536_000_000

/** Returns the time in milliseconds; 0 if `createPet` has no such parameter, so that no request has a key. */
export function getKeyTtl(document: OpenApiDocument): number {
  return Number(findKeyParameter(document)?.seconds ?? 0) * 1000
}

/** Throws a DocumentError if the parameter of `createPet` lacks the time, or has another value than an integer of seconds. */
export function checkKeyTtl(document: OpenApiDocument): void {
  const parameter = findKeyParameter(document)
  if (parameter === undefined) return
  const { pointer, seconds } = parameter
  const needed = `an integer from 1 to ${MAX_SECONDS}`
  const isValid = Number.isInteger(seconds) && Number(seconds) >= 1 && Number(seconds) <= MAX_SECONDS
  const problem =
    seconds === undefined
      ? { pointer, message: `Idempotency-Key needs "x-idempotency-ttl-seconds"; add it, with ${needed}` }
      : { pointer: `${pointer}/x-idempotency-ttl-seconds`, message: `${seconds} is not supported here; use ${needed}` }
  throwProblems(document, isValid ? [] : [problem])
}

function findKeyParameter({ operations, root }: OpenApiDocument) {
  const pointers = operations
    .filter(({ id }) => id === 'createPet')
    // The parameters of the path item come after those of the operation, which replace them.
    .flatMap(({ pointer, path }) => [pointer, toPointer('paths', path)])
    .flatMap((owner) => listParameters(root, `${owner}/parameters`))
  return pointers
    .map((pointer) => ({ pointer, parameter: toObject(getValueAt(root, pointer)) }))
    .filter(({ parameter }) => parameter.in === 'header' && /^idempotency-key$/i.test(String(parameter.name)))
    .map(({ pointer, parameter }) => ({ pointer, seconds: parameter['x-idempotency-ttl-seconds'] }))[0]
}

/** Returns the pointers to the parameters of a list, where their references lead. */
function listParameters(root: OpenApiDocument['root'], pointer: string): string[] {
  const follow = (target: string): string => {
    const { $ref } = toObject(getValueAt(root, target))
    return typeof $ref === 'string' ? follow(getTargetPointer($ref)) : target
  }
  const list = getValueAt(root, pointer)
  return Array.isArray(list) ? list.map((_, index) => follow(`${pointer}/${index}`)) : []
}
