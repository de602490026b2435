import type { AuditActor } from '../../kernel/actor.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Tx } from '../../platform/db/types.ts'
import { insertDeliveries, takePlaces } from './delivery.log.store.ts'
import { delayFirstAttempt, findUnsent, type UnsentRow } from './delivery.rehearsal.store.ts'

interface Chosen {
  readonly eventIds: readonly string[]
  /** Epoch milliseconds. */
  readonly at: number
}

/** A second delivery of the same event, as a replay makes it. */
const duplicate = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  first: UnsentRow,
  { actor, at }: { actor: AuditActor; at: number },
): Promise<void> => {
  const [place] = await takePlaces(tx, scope, [first.endpointId])
  if (!place) return
  const id = app.newId('dlv')
  await insertDeliveries(tx, scope, { ...first, now: app.clock.now() }, [{ ...place, id, replayOf: first.id }])
  await delayFirstAttempt(tx, scope, id, at)
  await app.audit.append(tx, scope.orgId, {
    actor,
    action: 'webhook.replayed',
    target: id,
    payload: { endpointId: first.endpointId, replayOf: first.id, eventId: first.eventId },
  })
}

/**
 * For rehearsals in the sandbox: events published in this very transaction reach their endpoints late, or once more
 * later on. What was sent already, or belongs to other events, is not touched. Both happen to real receivers anyway;
 * here they happen for certain.
 */
export const rehearseDisorder = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  { actor, late, twice }: { readonly actor: AuditActor; readonly late: Chosen; readonly twice: Chosen },
): Promise<void> => {
  if (scope.environment !== 'sandbox') throw new Error('deliveries are put out of order in the sandbox only')
  // Just published, so due now: the bound only keeps the search within the queue's index.
  const dueFrom = app.clock.now() - 60_000
  const firsts = await findUnsent(tx, scope, { eventIds: twice.eventIds, dueFrom })
  for (const { id } of await findUnsent(tx, scope, { eventIds: late.eventIds, dueFrom }))
    await delayFirstAttempt(tx, scope, id, late.at)
  for (const first of firsts) await duplicate(app, tx, scope, first, { actor, at: twice.at })
}
