import type { ItemStore, KeptItem } from './item-store.ts'
import { type Item, itemAt, type Stretch, stretchAt, type Track } from './timeline.ts'

/** What a source shows at an instant. */
export type View =
  /** What has arrived, or why it has nothing to show. */
  | { readonly kind: 'item'; readonly item: Item; readonly kept: KeptItem }
  /** It is on its way; what was shown before stays meanwhile. */
  | { readonly kind: 'loading'; readonly item: Item; readonly last: KeptItem | undefined }
  /** Nothing is there to show, and the account says why. */
  | { readonly kind: 'band'; readonly stretch: Stretch }
  | { readonly kind: 'nothing' }

/** What a source has of an instant; `last`: what it showed before. */
export const viewOf = (track: Track, atMs: number, store: ItemStore, last: KeptItem | undefined): View => {
  const item = itemAt(track, atMs)
  if (item) {
    const kept = store.get(item.id)
    return kept ? { kind: 'item', item, kept } : { kind: 'loading', item, last }
  }
  const stretch = stretchAt(track, atMs)
  return stretch ? { kind: 'band', stretch } : { kind: 'nothing' }
}

/** The same for views that look the same. */
export const viewKey = (view: View): string => {
  switch (view.kind) {
    case 'item':
      return `item ${view.item.id} ${view.kept.finding}`
    case 'loading':
      return `loading ${view.item.id} ${view.last?.id}`
    case 'band':
      return `band ${view.stretch.fromMs}`
    case 'nothing':
      return 'nothing'
  }
}
