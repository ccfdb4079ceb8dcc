/**
 * The changes from one version of a document to another.
 */

import { parsePointer, toPointer } from '../../src/openapi/document/references.ts'
import type { OpenApi, OpenApiDocument } from '../../src/openapi/index.ts'
import { type PlacedRating, rateAdded, rateRemoved, rateSecurity, rateServers } from './interface.ts'
import { type Rating, rate } from './rate.ts'
import { type RedoclyChange, runRedocly } from './redocly.ts'
import { createFindUses, listOperations, type SpecOperation, type Uses } from './uses.ts'
import { BUMPS } from './version.ts'

export interface Change extends Rating {
  /** `file:LINE:COL` in the new document; of the nearest thing that is left, if what has changed is gone. */
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
  const changes = await runRedocly({ root: base, operations: olds }, { root: revision, operations: nows })
  for (const change of changes) {
    const uses = findCommonUses(change, findOld, findNew)
    const directions = new Set([...uses.values()].flatMap((each) => [...each]))
    for (const rating of rate(change, { base, revision, directions, today })) {
      found.push({ ...rating, pointer: getPointer(change), operations: [...uses.keys()] })
    }
  }

  const levels = new Map(before.map(({ id, values }) => [id, values['x-stability-level']]))
  const names = new Map([...before, ...after].map(({ id, name }) => [id, name]))
  const rated = found.map((each) => {
    const { operations, pointer, ...rating } = allowUnstable(each, levels)
    return { ...rating, place: document.locate(pointer), operations: operations.flatMap((id) => names.get(id) ?? []) }
  })
  const order = new Intl.Collator('en', { numeric: true })
  const all = new Set(pairs.map(([, { name }]) => name))
  return merge(rated, all).sort(
    (one, other) => BUMPS.indexOf(other.bump) - BUMPS.indexOf(one.bump) || order.compare(one.place, other.place),
  )
}

type FindUses = (pointer: string) => Uses

/** Returns the operations that use what changes, in both documents if it is in both. */
function findCommonUses({ base, revision }: RedoclyChange, findOld: FindUses, findNew: FindUses): Uses {
  const [old, now] = [base && findOld(base.pointer), revision && findNew(revision.pointer)]
  if (old === undefined || now === undefined) return now ?? old ?? new Map()
  return new Map([...now].filter(([id]) => old.has(id)))
}

/** The pointer in the new document. What is gone is located by what it was in, because another item may have its index. */
function getPointer({ base, revision }: RedoclyChange): string {
  return revision?.pointer ?? toPointer(...parsePointer(base?.pointer ?? '').slice(0, -1))
}

/** Operations that are experimental or beta may change with a minor version. */
function allowUnstable(rating: PlacedRating, levels: ReadonlyMap<string, unknown>): PlacedRating {
  const { bump, operations, meaning } = rating
  const used = [...new Set(operations.map((id) => levels.get(id) ?? 'stable'))]
  if (bump !== 'major' || used.length === 0 || used.includes('stable')) return rating
  return { ...rating, bump: 'minor', meaning: `${meaning} It is ${used.join(' and ')}: a minor version may do that.` }
}

/** Makes one change of those with the same place: a part that several operations use, or an alias in YAML. */
function merge(changes: readonly Change[], all: ReadonlySet<string>): Change[] {
  const merged = new Map<string, Change>()
  for (const change of changes) {
    const key = [change.bump, change.place, change.what, change.meaning].join('\n')
    const operations = [...(merged.get(key)?.operations ?? []), ...change.operations]
    merged.set(key, { ...change, operations: [...new Set(operations)] })
  }
  return [...merged.values()].map((change) => {
    const isEvery = all.size > 1 && all.isSubsetOf(new Set(change.operations))
    return isEvery ? { ...change, operations: ['every operation'] } : change
  })
}
