/** An item on its way into a reel. */
export interface Placed {
  /** Epoch milliseconds. */
  readonly at: number
  readonly sizeBytes: number
}

/**
 * How many of these, which are in order of time, one reel takes: as many whole instants as have room, and the first one
 * whatever it has, since the next reel begins at an instant.
 */
export const roomFor = (
  items: readonly Placed[],
  { bytes, items: most }: { readonly bytes: number; readonly items: number },
): number => {
  let taken = 0
  let used = 0
  for (let next = 0; next < items.length; ) {
    let end = next
    let more = 0
    for (; items[end]?.at === items[next]?.at && end < items.length; end++) more += items[end]!.sizeBytes
    if (taken > 0 && (used + more > bytes || end > most)) break
    used += more
    taken = end
    next = end
  }
  return taken
}

/** Which of the items of a reel are left out, as its bytes are used up: the largest of those that came at one instant with others. */
export const tooLarge = <Item extends Placed>(items: readonly Item[], bytes: number): ReadonlySet<Item> => {
  const left = new Set<Item>()
  let used = items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  for (const item of items.toSorted((a, b) => b.sizeBytes - a.sizeBytes)) {
    if (used <= bytes) break
    left.add(item)
    used -= item.sizeBytes
  }
  return left
}
