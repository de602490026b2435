import { iso } from '../../../kernel/time.ts'
import type { healthOf } from '../../interviews/lanes/lanes.service.ts'

/** What lanes last said of themselves. */
export const liveLanesView = (health: Awaited<ReturnType<typeof healthOf>>) =>
  health.map(({ lane, displayId, health: state, reason, since }) => ({
    lane,
    displayId: displayId === '' ? null : displayId,
    state,
    reason,
    since: iso(since),
  }))
