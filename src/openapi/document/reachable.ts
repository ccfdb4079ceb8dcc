/** Walks over linked items, such as schemas and their subschemas, each of which may lead back to itself. */

/** Returns the items given, and all that `getNext` leads to from them, each once. */
export function collectReachable<Item>(items: Iterable<Item>, getNext: (item: Item) => Iterable<Item>): Item[] {
  const reachableItems = new Set(items)
  // The iteration includes the items that are added during it.
  for (const item of reachableItems) for (const nextItem of getNext(item)) reachableItems.add(nextItem)
  return [...reachableItems]
}

/**
 * Creates the function that returns true for an item if it matches, or any item that it leads to. Memoizes the results, so that
 * searches from many linked items take linear time.
 */
export function createSearch<Item extends object>(
  getLinkedItems: (item: Item) => readonly Item[],
  isMatch: (item: Item) => boolean,
): (item: Item) => boolean {
  const results = new WeakMap<Item, boolean>()

  /**
   * Finds the results of an item and of all that it leads to. With A → B → C, where C matches, it collects the referrers (B of C, A
   * of B), and then goes back from C: true for C, B and A.
   */
  function search(firstItem: Item): void {
    const referrers = new Map<Item, Item[]>([[firstItem, []]])
    // The iteration includes the items that are added during it.
    for (const item of referrers.keys()) {
      // An earlier search has found the result, also for all that the item leads to.
      if (results.has(item)) continue
      for (const linkedItem of getLinkedItems(item)) {
        const linkedReferrers = referrers.get(linkedItem) ?? []
        referrers.set(linkedItem, linkedReferrers)
        linkedReferrers.push(item)
      }
    }
    const items = [...referrers.keys()]
    const matches = items.filter((item) => results.get(item) ?? isMatch(item))
    const matchingItems = new Set(collectReachable(matches, (item) => referrers.get(item) ?? []))
    for (const item of items) results.set(item, matchingItems.has(item))
  }

  return (item) => {
    if (!results.has(item)) search(item)
    return results.get(item) === true
  }
}
