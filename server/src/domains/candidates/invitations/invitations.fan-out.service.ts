import type { Needs } from '../../../kernel/call.ts'
import type { FanOut } from '../../../kernel/outbox/outbox.ts'
import { withdrawFromCalendars } from './calendar.service.ts'

/** Takes the appointment out of calendars, in the transaction that ends its session. */
export const invitationsFanOut =
  (parts: Needs<'clock' | 'jobs' | 'keyring'>): FanOut =>
  async (tx, scope, { type, sessionId, requestId }, onlyEndpoint) => {
    if (type !== 'session.ended' || sessionId === null || onlyEndpoint !== undefined) return
    await withdrawFromCalendars({ ...parts, tx, reader: tx, scope, requestId: requestId ?? undefined }, { sessionId })
  }
