import { type MeetingProviderName, ServiceError } from '@integrity/protocol'
import type { Needs, WriteCall } from '../../../kernel/call.ts'
import type { Actor } from '../../../kernel/identity/actor.ts'
import { iso } from '../../../kernel/time.ts'
import { sessionRecord } from './lists/sessions.records.service.ts'
import { announceChange } from './live.wake.service.ts'
import { checkMeetingUrl } from './sessions.meeting.model.ts'
import { readInstant, refuseErased } from './sessions.policy.ts'
import { lockSession } from './sessions.read.service.ts'
import { updateSession } from './sessions.store.ts'
import type { SessionRow, StoredMeeting } from './sessions.types.ts'

interface MeetingInput {
  readonly provider: MeetingProviderName
  readonly url: string
  readonly startsAt?: string | undefined
}

type Change = WriteCall<Actor> & Needs<'db'>

const lockOpen = async (call: Change, sessionId: string): Promise<SessionRow> => {
  const session = await lockSession(call, sessionId)
  refuseErased(session)
  if (session.state === 'ended')
    throw new ServiceError('conflict', 'this session has ended; its meeting can no longer change')
  return session
}

/** Writes it, if it is another one, as a new version of what the agent is told. */
const write = async (call: Change, session: SessionRow, meeting: StoredMeeting | null): Promise<boolean> => {
  const changed = JSON.stringify(session.meeting) !== JSON.stringify(meeting)
  if (!changed) return false
  const policyVersion = session.policyVersion + 1
  await updateSession(call.tx, call.scope, session.id, { meeting: meeting && JSON.stringify(meeting), policyVersion })
  announceChange(call)
  return true
}

/** Links the video meeting of a session that has not ended. */
export const setMeeting = async (
  call: Change,
  { sessionId, input }: { readonly sessionId: string; readonly input: MeetingInput },
): Promise<StoredMeeting> => {
  checkMeetingUrl(input)
  const { provider, url } = input
  const startsAt = input.startsAt === undefined ? null : iso(readInstant(input.startsAt, 'startsAt'))
  const session = await lockOpen(call, sessionId)
  const meeting: StoredMeeting = { provider, url, startsAt }
  const changed = await write(call, session, meeting)
  // Not the address, which may hold the way in.
  const payload = { provider, host: new URL(url).host, startsAt, changed }
  const records = await sessionRecord(call, { sessionId })
  await call.audit.append(call, { action: 'session.meeting_set', target: sessionId, sessionId, payload, records })
  return meeting
}

/** Removes it; removing again changes nothing. */
export const removeMeeting = async (call: Change, sessionId: string): Promise<void> => {
  const changed = await write(call, await lockOpen(call, sessionId), null)
  await call.audit.append(call, {
    action: 'session.meeting_removed',
    target: sessionId,
    sessionId,
    payload: { changed },
    records: await sessionRecord(call, { sessionId }),
  })
}
