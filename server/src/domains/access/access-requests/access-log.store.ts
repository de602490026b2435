import type { AuditActor } from '../../../kernel/identity/actor.ts'
import type { Tx } from '../../../platform/db/types.ts'

/** What was done, for good: there is no audit chain to write to before there is an organisation. */
export type AccessStep = 'requested' | 'approved' | 'declined' | 'resent' | 'renewed' | 'opened' | 'accepted'

/** Notes nothing of a request that is none. */
export const insertStep = async (
  tx: Tx,
  requestId: string,
  step: { readonly id: string; readonly at: number; readonly actor: AuditActor; readonly action: AccessStep },
): Promise<void> => {
  const { id, at, actor, action } = step
  await tx.run(
    `INSERT INTO access_request_log (request_id, entry_id, at, actor_kind, actor_id, action)
     SELECT request_id, ?, ?, ?, ?, ? FROM access_requests WHERE request_id = ?`,
    [id, at, actor.kind, actor.id, action, requestId],
  )
}
