/** Saves validated inputs, so that a cache of responses need not validate the same URL again. */
import type { Operation } from '../document/operations.ts'
import type { Input } from '../request/input.ts'
import type { Exchange, OperationRequest } from './exchange.ts'

const savedInputs = new WeakMap<Input, Operation>()

/**
 * Saves and returns the input of a request whose handler has been called. A `preValidation` hook may set it as `request.openapi.input`
 * of a request to the same operation with the same URL, if the operation reads nothing but the URL. An input that is not saved is
 * replaced.
 */
export function saveInput({ operation, input, result }: OperationRequest): Input | undefined {
  if (input !== undefined && result !== undefined) savedInputs.set(freeze(input), operation)
  return input
}

/** Freezes a value with all that it has: requests share it. Bytes cannot be frozen. */
function freeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) freeze(member)
  return Object.freeze(value)
}

/** True if a hook has set an input that was validated for this operation. */
export function isSavedInput({ operation, input }: Exchange): boolean {
  return input !== undefined && savedInputs.get(input) === operation
}
