import { usualRetentionDays } from '@integrity/protocol'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { Hold, PlacedHold } from '../../organisation/retention-rules/holds.service.ts'
import type { DueRow } from './due.store.ts'
import type { OrgRetention } from './retention.service.ts'

const holdView = (hold: Hold | undefined) =>
  hold
    ? {
        reason: hold.reason,
        since: iso(hold.since),
        by: { kind: hold.byKind, id: hold.byId, label: hold.byLabel },
      }
    : null

export const sessionHoldView = (sessionId: string, { hold, version }: PlacedHold) => ({
  sessionId,
  legalHold: holdView(hold),
  version,
})

export const retentionView = ({ rules, hold }: OrgRetention) => {
  const defaultDays = rules.defaultDays ?? usualRetentionDays
  return {
    defaultDays,
    setAt: isoOrNull(rules.setAt),
    windowVersion: rules.setAt ?? 0,
    inForceDays: rules.inForceDays,
    ceilingDays: rules.ceilingDays,
    capped: rules.inForceDays < defaultDays,
    legalHold: holdView(hold.hold),
    version: hold.version,
  }
}

export const dueView = ({ endedAt, dueAt, held, ...row }: DueRow) => ({
  ...row,
  endedAt: iso(endedAt),
  dueAt: iso(dueAt),
  held: held === 1,
})
