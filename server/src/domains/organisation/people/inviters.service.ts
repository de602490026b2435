import type { Reads } from '../../../kernel/call.ts'
import { findInviter } from './inviters.store.ts'
import { memberAddress, memberName, organizerOf } from './people.service.ts'

/**
 * Whom the candidate of a session can ask: who invited them, by the name and the address that their message had; null where
 * nobody was invited by a person who is still a member. The caller has found the session.
 */
export const inviterOf = async (
  call: Reads,
  sessionId: string,
): Promise<{ readonly name: string | null; readonly replyTo: string } | null> => {
  const { orgId } = call.scope
  const inviter = await findInviter(call.reader, call.scope, sessionId)
  if (inviter?.kind !== 'user') return null
  const replyTo = await memberAddress(call, { orgId, userId: inviter.id })
  return replyTo === undefined
    ? null
    : { name: (await memberName(call, { orgId, userId: inviter.id })) ?? null, replyTo }
}

/** Whose appointment a session is, for calendars; undefined where nobody was invited by a person. */
export const organizerOfSession = async (call: Reads, sessionId: string) => {
  const inviter = await findInviter(call.reader, call.scope, sessionId)
  return inviter && organizerOf(call, { orgId: call.scope.orgId, userId: inviter.id })
}
