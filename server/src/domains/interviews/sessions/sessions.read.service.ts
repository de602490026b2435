import { notFound } from '@integrity/protocol'
import type { Needs, Reads, Writes } from '../../../kernel/call.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import { findFreeGatesForUpdate, findGateForUpdate, touchContact } from './joining/sessions.gate.store.ts'
import { findEnvironmentOfSession, findSession, findSessionForUpdate, findShownSession } from './sessions.store.ts'
import type { LockedGate, SessionRow, ShownSession } from './sessions.types.ts'

export const getSession = async (call: Reads, sessionId: string): Promise<SessionRow> => {
  const session = await findSession(call.reader, call.scope, sessionId)
  if (!session) throw notFound('session')
  return session
}

/** A session with the columns that are shown, and no others. */
export const getShownSession = async (call: Reads, sessionId: string): Promise<ShownSession> => {
  const session = await findShownSession(call.reader, call.scope, sessionId)
  if (!session) throw notFound('session')
  return session
}

/** The scope that a session of this organisation is in, whichever environment that is: people manage both. */
export const scopeOfSession = async (
  call: Needs<'reader'>,
  { orgId, sessionId }: { readonly orgId: string; readonly sessionId: string },
): Promise<Scope> => {
  const environment = await findEnvironmentOfSession(call.reader, orgId, sessionId)
  if (environment === undefined) throw notFound('session')
  return { orgId, environment }
}

/** Reads the session and holds it until the commit. */
export const lockSession = async (call: Writes, sessionId: string): Promise<SessionRow> => {
  const session = await findSessionForUpdate(call.tx, call.scope, sessionId)
  if (!session) throw notFound('session')
  return session
}

/** Locks a session and reads only the columns that an upload's gate needs. */
export const lockGate = async (call: Writes, sessionId: string): Promise<LockedGate> => {
  const session = await findGateForUpdate(call.tx, call.scope, sessionId)
  if (!session) throw notFound('session')
  return session
}

/** Gates of several sessions at once; one that is not there, or that somebody else holds, is missing in the answer. */
export const lockFreeGates = (call: Writes, sessionIds: readonly string[]): Promise<ReadonlyMap<string, LockedGate>> =>
  findFreeGatesForUpdate(call.tx, call.scope, sessionIds)

/** The agent of a locked session was heard of now. */
export const noteContact = ({ tx, scope, clock }: Writes & Needs<'clock'>, sessionId: string): Promise<void> =>
  touchContact(tx, scope, sessionId, clock.now())
