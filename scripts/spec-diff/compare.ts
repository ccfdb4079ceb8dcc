/**
 * The changes from one version of a document to another.
 */

import { type OpenApi, type OpenApiDocument, parsePointer, toPointer } from '../../src/openapi/index.ts'
import { type PlacedRating, rateAdded, rateRemoved, rateSecurity, rateServers } from './interface.ts'
import { getPointer, type Rating, rate } from './rate.ts'
import { type RedoclyChange, runRedocly } from './redocly.ts'
import { createFindUses, listOperations, type SpecOperation, type Uses } from './uses.ts'
import { BUMPS } from './version.ts'

export interface Change extends Rating {
  /** `file:LINE:COL` in the new document; if the value was removed, of the nearest value around it. */
  readonly place: string
  /** The operations that it affects, as `GET /pets`; none if it affects nothing or everything alike. */
  readonly operations: readonly string[]
}

/** Compares two documents. The largest changes come first, and then those in the order of the lines. */
export async function compareDocuments(base: OpenApi, document: OpenApiDocument, today: string): Promise<Change[]> {
  const revision = document.root
  const [before, after] = [listOperations(base), listOperations(revision)]
  const pairs = before.flatMap((old): [SpecOperation, SpecOperation][] => {
    const now = after.find(({ id }) => id === old.id)
    return now === undefined ? [] : [[old, now]]
  })
  const shared = pairs.map(([{ id }]) => id)
  const [olds, nows] = [pairs.map(([old]) => old), pairs.map(([, now]) => now)]
  const [findOld, findNew] = [createFindUses(base, olds), createFindUses(revision, nows)]

  const found: PlacedRating[] = [
    ...before.filter(({ id }) => !shared.includes(id)).map((operation) => rateRemoved(operation, today)),
    ...after.filter(({ id }) => !shared.includes(id)).map(rateAdded),
    ...rateServers(base, revision, shared),
    ...pairs.flatMap((pair) => rateSecurity(base, revision, pair)),
  ]
  const placed = found.map((rating) => ({ rating, identity: rating.what }))
  for (const change of await runRedocly({ root: base, operations: olds }, { root: revision, operations: nows })) {
    const uses = findCommonUses(change, findOld, findNew)
    const directions = new Set([...uses.values()].flatMap((each) => [...each]))
    for (const rated of rate(change, { base, revision, directions, today })) {
      const rating = { ...rated, pointer: getPlace(change), operations: [...uses.keys()] }
      placed.push({ rating, identity: getIdentity(change, rating) })
    }
  }

  const levels = new Map(before.map(({ id, values }) => [id, values['x-stability-level']]))
  const names = new Map([...before, ...after].map(({ id, name }) => [id, name]))
  const merged = new Map<string, Change>()
  for (const { rating, identity } of placed) {
    const { operations, pointer, ...rest } = allowUnstable(rating, levels)
    const place = document.locate(pointer)
    const key = [place, rest.bump, rest.meaning, identity].join('\n')
    const { operations: others = [], what = rest.what } = merged.get(key) ?? {}
    const all = new Set([...others, ...operations.map((id) => String(names.get(id)))])
    merged.set(key, { ...rest, what, place, operations: [...all] })
  }
  const order = new Intl.Collator('en', { numeric: true })
  return [...merged.values()]
    .map((change) =>
      nameEvery(
        change,
        pairs.map(([, { name }]) => name),
      ),
    )
    .sort((one, other) => BUMPS.indexOf(other.bump) - BUMPS.indexOf(one.bump) || order.compare(one.place, other.place))
}

type FindUses = (pointer: string) => Uses

/** Returns the operations that use what changes, in both documents if it is in both. */
function findCommonUses(change: RedoclyChange, findOld: FindUses, findNew: FindUses): Uses {
  if (change.kind === 'added') return findNew(change.revision.pointer)
  const old = findOld(change.base.pointer)
  if (change.kind === 'removed') return old
  return new Map([...findNew(change.revision.pointer)].filter(([id]) => old.has(id)))
}

/** The pointer to locate: for a removed value, that of the value around it, because another item may have its index now. */
function getPlace(change: RedoclyChange): string {
  const pointer = getPointer(change)
  return change.kind === 'removed' ? toPointer(...parsePointer(pointer).slice(0, -1)) : pointer
}

/** The key of a change at a place. An alias in YAML is a copy: the same change again, of another part. */
function getIdentity(change: RedoclyChange, { what }: Rating): string {
  return change.kind === 'removed' ? what : change.kind === 'added' ? 'added' : change.property
}

/** Operations that are experimental or beta may change with a minor version. */
function allowUnstable(rating: PlacedRating, levels: ReadonlyMap<string, unknown>): PlacedRating {
  const { bump, operations, meaning } = rating
  const used = [...new Set(operations.map((id) => levels.get(id) ?? 'stable'))]
  if (bump !== 'major' || used.length === 0 || used.includes('stable')) return rating
  return { ...rating, bump: 'minor', meaning: `${meaning} It is ${used.join(' and ')}: a minor version may do that.` }
}

/** Shortens the list of all operations. */
function nameEvery(change: Change, names: readonly string[]): Change {
  const isEvery = names.length > 1 && names.every((name) => change.operations.includes(name))
  return isEvery ? { ...change, operations: ['every operation'] } : change
}
