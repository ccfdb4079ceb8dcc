/** Checks the variables of servers (OpenAPI 3.1, Server Variable Object). */
import type { ServerVariable } from '../document/model.ts'
import type { Problem } from '../document/problems.ts'
import { hasVersion } from '../document/version.ts'
import type { Context } from './context.ts'

/** Reports a default that the enum does not have. */
export function* checkServerVariable(
  { default: value, enum: values }: ServerVariable,
  pointer: string,
  { root }: Context,
): Iterable<Problem> {
  if (values === undefined || values.includes(value)) return
  const message = `the default "${value}" is not one of: ${values.join(', ')}; change it, or add it to the enum`
  // A recommendation in OpenAPI 3.0, Server Variable Object.
  yield { pointer: `${pointer}/default`, message, isWarning: hasVersion(root, '3.0') }
}
