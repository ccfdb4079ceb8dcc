/** The time for which idempotency keys are stored: `x-idempotency-ttl-seconds` of the header parameter `Idempotency-Key`. */

import type { OpenApiDocument } from 'fastify-openapi-first'
import { getReferences, getValueAt, throwProblems, toObject, toPointer } from 'fastify-openapi-first/tools'

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
  const { resolvePointer } = getReferences(root)
  const parameters = operations
    .filter(({ id }) => id === 'createPet')
    .map(({ pointer, path }) => ({ pointer, itemPointer: toPointer('paths', path) }))
    // In the order of precedence: the operation, its path item, and the path item that this one refers to.
    .flatMap(({ pointer, itemPointer }) => [pointer, itemPointer, resolvePointer(itemPointer)])
    .map((ownerPointer) => `${ownerPointer}/parameters`)
    .flatMap((list) => Object.keys(toObject(getValueAt(root, list))).map((index) => resolvePointer(`${list}/${index}`)))
    .map((pointer) => ({ pointer, fields: toObject(getValueAt(root, pointer)) }))
  const parameter = parameters.find(
    ({ fields }) => fields.in === 'header' && /^idempotency-key$/i.test(String(fields.name)),
  )
  return parameter && { pointer: parameter.pointer, seconds: parameter.fields['x-idempotency-ttl-seconds'] }
}
