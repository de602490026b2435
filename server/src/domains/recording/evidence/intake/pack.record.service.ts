import { ServiceError } from '@integrity/protocol'
import type { Needs, WriteCall } from '../../../../kernel/call.ts'
import type { Actor } from '../../../../kernel/identity/actor.ts'
import { admitCapture } from '../../../interviews/sessions/sessions.policy.ts'
import { lockSession, noteContact } from '../../../interviews/sessions/sessions.read.service.ts'
import type { SessionRow } from '../../../interviews/sessions/sessions.types.ts'
import { enqueueRemoval } from '../evidence.erase.service.ts'
import { laneOf } from './intake.item.model.ts'
import { type Outcome, recordItems } from './intake.rows.service.ts'
import type { PreparedPack } from './pack.prepare.service.ts'

type Call = WriteCall<Actor> & Needs<'keyring' | 'metrics'>
type Asked = PreparedPack['items'][number]

const askAgain = ({ clock, actor }: Call, session: SessionRow, prepared: Asked): Asked => {
  if (prepared instanceof ServiceError) return prepared
  const { evidenceType, capturedAt } = prepared.item
  try {
    admitCapture(session, laneOf(evidenceType, actor), evidenceType, capturedAt, clock.now())
    return prepared
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

/** In the transaction: everything is asked again of each item under the session's lock, then the rows are made. */
export const recordPack = async (
  call: Call,
  { sessionId, packId, items, storeKey }: PreparedPack,
): Promise<Outcome[]> => {
  const session = await lockSession(call, sessionId)
  // The phone and the room are heard of by themselves; this is about the agent.
  if (call.actor.kind === 'agent') await noteContact(call, session.id)
  const asked = items.map((prepared) => askAgain(call, session, prepared))
  const admitted = asked.flatMap((prepared) => (prepared instanceof ServiceError ? [] : [prepared]))
  // Where nobody is admitted any more, nobody says that the bytes are superfluous.
  const isDropped = storeKey !== undefined && !admitted.some(({ stored }) => stored)
  if (isDropped) await enqueueRemoval(call, { storeKeys: [storeKey] })
  const recorded = (await recordItems(call, { session, items: admitted, packId })).values()
  return asked.map((prepared) =>
    prepared instanceof ServiceError ? { refusal: prepared } : (recorded.next().value as Outcome),
  )
}
