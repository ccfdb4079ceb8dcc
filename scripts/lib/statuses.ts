/**
 * The statuses of the spec, for scripts. This does not compile if the spec has others.
 */
import type { PetStatus } from '../../src/stores/store.ts'

const all: Record<PetStatus, true> = { available: true, pending: true, sold: true }

export const statuses: readonly PetStatus[] = Object.keys(all).filter(isStatus)

export function isStatus(text: string): text is PetStatus {
  return Object.hasOwn(all, text)
}
