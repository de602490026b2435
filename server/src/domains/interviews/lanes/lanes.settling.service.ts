import type { Needs, Writes } from '../../../kernel/call.ts'
import { iso, settleMs } from '../../../kernel/time.ts'
import { lockSession } from '../sessions/sessions.read.service.ts'
import { sessionRef } from '../sessions/sessions.view.ts'
import { listUntold, markTold } from './lanes.store.ts'

/** Publishes what the lanes of a session are by then; while one look is waiting, no other is added. */
export const settleLater = (call: Writes & Needs<'clock' | 'jobs'>, sessionId: string): Promise<string | null> =>
  call.jobs.enqueue(call, {
    kind: 'lanes.settle',
    payload: { sessionId },
    runAt: call.clock.now() + settleMs,
    dedupeKey: sessionId,
  })

/** Publishes each lane and display that is otherwise than was published of it last; what came and went meanwhile is not told. */
export const settleLanes = async (call: Writes & Needs<'outbox'>, sessionId: string): Promise<void> => {
  const { tx, scope } = call
  const session = await lockSession(call, sessionId)
  const lanes = await listUntold(tx, scope, sessionId)
  if (lanes.length === 0) return
  await markTold(tx, scope, sessionId)
  for (const { lane, displayId, health, reason, since, told, changedAt } of lanes)
    await call.outbox.publish(call, {
      type: 'source.health_changed',
      sessionId,
      data: {
        session: sessionRef(session),
        lane,
        displayId: displayId === '' ? null : displayId,
        previous: told ?? 'unknown',
        current: health,
        since: iso(changedAt ?? since),
        reason,
      },
    })
}
