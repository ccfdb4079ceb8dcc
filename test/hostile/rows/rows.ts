/**
 * All wrong requests.
 */
import { bodies } from './bodies.ts'
import { content } from './content.ts'
import { json } from './json.ts'
import { keys } from './keys.ts'
import { names } from './names.ts'
import { parameters } from './parameters.ts'
import { paths } from './paths.ts'
import type { WrongRequest } from './row.ts'
import { wire } from './wire.ts'

export const wrongRequests: readonly WrongRequest[] = [
  ...parameters,
  ...names,
  ...bodies,
  ...json,
  ...content,
  ...paths,
  ...wire,
  ...keys,
]
