import type { By, Needs, Reads, Writes } from '../../../../kernel/call.ts'
import { admitBytes } from '../../../interviews/sessions/joining/room.policy.ts'
import { admitCapture } from '../../../interviews/sessions/sessions.policy.ts'
import { getSession, lockSession } from '../../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../../interviews/sessions/sessions.types.ts'
import { findStored } from '../evidence.service.ts'
import type { Item } from '../evidence.types.ts'
import { bytesOfSession } from '../usage.store.ts'
import { clientIdTaken, laneOf } from './intake.item.model.ts'

type Admitted = Pick<Item, 'evidenceType' | 'capturedAt'>

const admit = (call: By & Needs<'clock'>, session: SessionRow, { evidenceType, capturedAt }: Admitted): SessionRow => {
  admitCapture(session, laneOf(evidenceType, call.actor), evidenceType, capturedAt, call.clock.now())
  return session
}

/** Consent, policy and time, asked before anything is done for an item. */
export const admitItem = async (
  call: Reads & By & Needs<'clock'>,
  { sessionId, item }: { readonly sessionId: string; readonly item: Admitted },
) => admit(call, await getSession(call, sessionId), item)

/** Room for an item that the session does not hold yet. Items at the same time may each find the same room. */
export const admitNewBytes = async (
  call: Reads & Needs<'clock'>,
  { session, sizeBytes }: { readonly session: SessionRow; readonly sizeBytes: number },
): Promise<void> => {
  const held = await bytesOfSession(call.reader, call.scope, session.id)
  admitBytes(session, { held, more: sizeBytes }, call.clock.now())
}

/** Admits an item in the transaction, under the session's lock. */
export const lockForItem = async (
  call: Writes & By & Needs<'clock'>,
  { sessionId, item }: { readonly sessionId: string; readonly item: Admitted },
) => admit(call, await lockSession(call, sessionId), item)

/** What the session holds of an item: its row, or the row of the same bytes. Other bytes of its clientId are a `conflict`. */
export const findKnown = async (
  call: Reads,
  { sessionId, item }: { readonly sessionId: string; readonly item: Item },
) => {
  const { evidenceType, clientId, sha256 } = item
  const found = await findStored(call, { sessionId, evidenceType, clientId, sha256 })
  if (found.same && found.same.sha256 !== sha256) throw clientIdTaken()
  return found
}
