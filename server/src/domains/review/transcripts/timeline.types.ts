import type { derivedKinds, timelineItem } from '@integrity/protocol'
import type * as z from 'zod'

export type TimelineItem = z.input<typeof timelineItem>
type DerivedKind = (typeof derivedKinds)[number]

/** What is worked out of what was stored, or written beside it, with its place among what happened at the same instant. */
export interface DerivedEntry {
  readonly kind: DerivedKind
  /** Epoch milliseconds. */
  readonly at: number
  /** Tells it from others of its kind. */
  readonly id: string
  readonly item: TimelineItem
}
