import type { Needs, Writes } from '../../../kernel/call.ts'
import { iso, settleMs } from '../../../kernel/time.ts'
import { lockSession } from '../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import { sessionRef } from '../../interviews/sessions/sessions.view.ts'
import { type CompanionRow, findCompanion, updateCompanion } from './companions.store.ts'
import { type PhoneEvent, settledChanges } from './presence.model.ts'

/** What a companion event says. `at` is epoch milliseconds. */
export const companionEvent = (
  session: SessionRow,
  { companionId, at }: { readonly companionId: string; readonly at: number },
) => ({
  session: sessionRef(session),
  companion: { id: companionId },
  at: iso(at),
})

interface Told {
  readonly companion: CompanionRow
  readonly events?: readonly PhoneEvent[]
}

/** Publishes what waits of a phone, and behind it what is told at once. */
export const tellChanges = async (
  call: Writes & Needs<'outbox'>,
  { session, companion, events: now = [] }: Told & { readonly session: SessionRow },
): Promise<void> => {
  const events = settledChanges([...companion.untold, ...now])
  if (companion.untold.length > 0) await updateCompanion(call.tx, call.scope, companion.id, { untold: null })
  for (const { type, at } of events)
    await call.outbox.publish(call, {
      type: `companion.${type}`,
      sessionId: session.id,
      data: companionEvent(session, { companionId: companion.id, at }),
    })
}

/** Publishes what changed once it has settled; while one look is waiting, no other is added. */
export const tellLater = async (
  call: Writes & Needs<'clock' | 'jobs'>,
  { companion: { id, untold }, events = [] }: Told,
): Promise<void> => {
  if (events.length === 0) return
  await updateCompanion(call.tx, call.scope, id, { untold: JSON.stringify(settledChanges([...untold, ...events])) })
  await call.jobs.enqueue(call, {
    kind: 'companions.tell',
    payload: { companionId: id },
    runAt: call.clock.now() + settleMs,
    dedupeKey: id,
  })
}

/** Asked when changes of a phone may have settled. */
export const tellOfPhone = async (call: Writes & Needs<'outbox'>, companionId: string): Promise<void> => {
  const known = await findCompanion(call.tx, call.scope, companionId)
  if (!known) return
  const session = await lockSession(call, known.sessionId)
  const companion = await findCompanion(call.tx, call.scope, companionId)
  if (companion) await tellChanges(call, { session, companion })
}
