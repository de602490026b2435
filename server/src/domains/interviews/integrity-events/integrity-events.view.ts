import { categoryOf } from '@integrity/protocol'
import { iso } from '../../../kernel/time.ts'
import type { EventRow } from './integrity-events.store.ts'

/** One shape for the list and for the live snapshot. */
export const eventView = (sessionId: string, { place: _place, ...row }: EventRow) => ({
  ...row,
  category: categoryOf(row.kind),
  sessionId,
  observedAt: iso(row.observedAt),
  receivedAt: iso(row.receivedAt),
  data: JSON.parse(row.data) as Record<string, never>,
})
