import type { ConsentDocument } from '../core/session/ports.ts'
import type { WindowState } from '../shared/ipc/window-state.ts'

type Changes = NonNullable<NonNullable<WindowState['consent']>['changes']>

/** What differs in the document that is asked about now, for the top of the page. */
export const consentChanges = (before: ConsentDocument, now: ConsentDocument): Changes => {
  const earlier = new Map(before.lanes.map((lane) => [lane.lane, lane]))
  const later = new Set(now.lanes.map(({ lane }) => lane))
  const changes: Changes = []
  for (const { lane, title, text, required } of now.lanes) {
    const old = earlier.get(lane)
    if (!old) changes.push({ what: 'lane_added', lane, title })
    if (old && old.text !== text) changes.push({ what: 'lane_text', lane, title, before: old.text })
    if (old && old.required !== required)
      changes.push({ what: required ? 'lane_required' : 'lane_optional', lane, title })
  }
  for (const { lane, title } of before.lanes) if (!later.has(lane)) changes.push({ what: 'lane_removed', lane, title })
  if (before.retentionDays !== now.retentionDays)
    changes.push({ what: 'retention', before: String(before.retentionDays) })
  return changes
}
