import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { SweepRow } from './sweeps.store.ts'

/** What one call did, and how the sweep stands after it. */
export const sweepRunView = ({
  sweep: { id, state, heldSessions, remaining, note },
  done,
}: {
  readonly sweep: SweepRow
  readonly done: Pick<SweepRow, 'erasedSessions' | 'erasedObjects' | 'erasedBytes'>
}) => ({ sweepId: id, state, ...done, heldSessions, remaining, note })

const none = {
  sweepId: null,
  state: 'none' as const,
  startedAt: null,
  updatedAt: null,
  completedAt: null,
  calls: 0,
  erasedSessions: 0,
  erasedObjects: 0,
  erasedBytes: 0,
  heldSessions: 0,
  remaining: 0,
  note: null,
}

export const sweepView = (sweep: SweepRow | undefined) => {
  if (!sweep) return none
  const { id, startedAt, updatedAt, completedAt, ...row } = sweep
  return {
    ...row,
    sweepId: id,
    startedAt: iso(startedAt),
    updatedAt: iso(updatedAt),
    completedAt: isoOrNull(completedAt),
  }
}
