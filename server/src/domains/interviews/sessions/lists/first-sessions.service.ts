import type { Needs } from '../../../../kernel/call.ts'
import { countOrgsWithSessions } from './first-sessions.store.ts'

/** Crosses tenants, for the access desk: how many of these organisations have made a session, and how many have held a live one. */
export const firstSessionsOf = async (
  call: Needs<'reader'>,
  orgIds: readonly string[],
): Promise<{ any: number; live: number }> =>
  orgIds.length === 0 ? { any: 0, live: 0 } : countOrgsWithSessions(call.reader, orgIds)
