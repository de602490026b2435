import type { KeptItem } from '../player/item-store.ts'

interface Held {
  readonly url: string
  holders: number
}

const urls = new WeakMap<KeptItem, Held>()

/** An address of the page's own for what was checked; the same for each who holds it, until `releaseUrl`. */
export const holdUrl = (kept: KeptItem): string => {
  const held = urls.get(kept) ?? {
    url: URL.createObjectURL(new Blob([kept.bytes], { type: kept.contentType })),
    holders: 0,
  }
  held.holders += 1
  urls.set(kept, held)
  return held.url
}

/** Once for each `holdUrl`; the last lets the address go. */
export const releaseUrl = (kept: KeptItem): void => {
  const held = urls.get(kept)
  if (!held) return
  held.holders -= 1
  if (held.holders > 0) return
  urls.delete(kept)
  URL.revokeObjectURL(held.url)
}
