import type { Needs, WriteCall } from '../../../../kernel/call.ts'
import type { Actor } from '../../../../kernel/identity/actor.ts'
import { noteContact } from '../../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../../interviews/sessions/sessions.types.ts'
import type { EvidenceRow } from '../evidence.types.ts'
import { lockForItem } from './intake.admit.service.ts'
import type { PreparedItem } from './intake.item.model.ts'
import { recordItems } from './intake.rows.service.ts'

export interface Recorded {
  readonly row: EvidenceRow
  /** False when the item was here already. */
  readonly created: boolean
}

/**
 * Makes the row of an item, in the order of storing, with its audit row and event. Call with the session locked and
 * the capture admitted. The same clientId with the same bytes answers the row that is there; with other bytes it is a
 * `conflict`. The same bytes under another clientId are another observation: a row of its own that shares the object.
 * Stored bytes that turn out superfluous are taken away by a job.
 */
export const recordEvidence = async (
  call: WriteCall & Needs<'keyring' | 'metrics'>,
  { session, ...item }: Omit<PreparedItem, 'sessionId'> & { readonly session: SessionRow },
): Promise<Recorded> => {
  const [outcome] = await recordItems(call, { session, items: [item] })
  if (!outcome) throw new Error('an item was recorded without an outcome')
  if ('refusal' in outcome) throw outcome.refusal
  return outcome
}

/** In the transaction: everything is asked again under the session's lock, then the row is made. */
export const recordPrepared = async (
  call: WriteCall<Actor> & Needs<'keyring' | 'metrics'>,
  { sessionId, ...prepared }: PreparedItem,
): Promise<Recorded> => {
  const session = await lockForItem(call, { sessionId, item: prepared.item })
  // The phone and the room are heard of by themselves; this is about the agent.
  if (call.actor.kind !== 'companion' && call.actor.kind !== 'room') await noteContact(call, session.id)
  return recordEvidence(call, { session, ...prepared })
}
