import { ServiceError, type SessionConfig } from '@integrity/protocol'
import { isHeldByTrail } from '../../../../kernel/audit/audit.commitments.store.ts'
import type { Needs, Reads, Writes } from '../../../../kernel/call.ts'
import { noticeOf } from '../../../organisation/branding/notice.service.ts'
import { rulesOf } from '../../../organisation/retention-rules/retention-rules.service.ts'
import type { Asked } from '../consent/consent.model.ts'
import { leastDaysTold } from '../consent/consents.store.ts'
import { countHeldSessions, findHolds, updateSession } from '../sessions.store.ts'
import type { SessionRow } from '../sessions.types.ts'

/** The days that a session asks for, or fewer where its candidate was told fewer. */
export const toldDays = async (call: Reads, { id, config }: Pick<SessionRow, 'id' | 'config'>): Promise<number> =>
  Math.min(config.retentionDays, (await leastDaysTold(call.reader, call.scope, id)) ?? Number.POSITIVE_INFINITY)

/** The window in force: the shortest of what the candidate was told, the organisation's and the ceiling of its plan. */
export const windowDays = async (
  call: Reads & Needs<'clock' | 'config'>,
  session: Pick<SessionRow, 'id' | 'config'>,
): Promise<number> => Math.min(await toldDays(call, session), (await rulesOf(call, call.scope.orgId)).boundDays)

/** The config as devices and candidates are told of it: with the window in force. */
const toldConfig = async (
  call: Reads & Needs<'clock' | 'config'>,
  session: Pick<SessionRow, 'id' | 'config'>,
): Promise<SessionConfig> => ({
  ...session.config,
  retentionDays: await windowDays(call, session),
})

/** What the consent document is made of: the config as told, and what the organisation says of itself. */
export const askedOf = async (
  call: Reads & Needs<'clock' | 'config'>,
  session: Pick<SessionRow, 'id' | 'config'>,
): Promise<Asked> => ({
  ...(await toldConfig(call, session)),
  notice: await noticeOf(call, call.scope.orgId),
})

const holdWords = {
  org: 'the organisation is under legal hold; nothing can be erased until it is released',
  own: 'this session is under legal hold; nothing of it can be erased until it is released',
} as const

const forgottenWords = {
  org: 'the audit trail says that the organisation is under legal hold, though its records do not: nothing can be erased until the hold is released',
  own: 'the audit trail says that this session is under legal hold, though its records do not: nothing of it can be erased until the hold is released',
} as const

/** Which holds the audit trail says are on, whatever the rows say that are read for everything else. */
export const holdsOfTrail = async (
  { reader, scope: { orgId } }: Reads,
  sessionId: string,
): Promise<{ readonly own: boolean; readonly org: boolean }> => ({
  own: await isHeldByTrail(reader, { orgId, sessionId }),
  org: await isHeldByTrail(reader, { orgId, sessionId: '' }),
})

/** Throws `conflict`, saying which hold is on, for a session that may not be erased: by its rows, or by the audit trail. */
export const refuseHeld = async (call: Reads, sessionId: string): Promise<void> => {
  const { own, org } = await findHolds(call.reader, call.scope, sessionId)
  if (own || org) throw new ServiceError('conflict', org ? holdWords.org : holdWords.own)
  const trail = await holdsOfTrail(call, sessionId)
  if (trail.own || trail.org) throw new ServiceError('conflict', trail.org ? forgottenWords.org : forgottenWords.own)
}

/** The mark by which a hold of its own is known. Call with the session locked. */
export const markHeld = (
  { tx, scope }: Writes,
  { sessionId, on }: { readonly sessionId: string; readonly on: boolean },
): Promise<void> => updateSession(tx, scope, sessionId, { legalHold: on ? 1 : 0 })

/** How many sessions of an organisation, of both environments, have a hold of their own. */
export const heldSessions = (call: Needs<'reader'>, orgId: string): Promise<number> =>
  countHeldSessions(call.reader, orgId)
