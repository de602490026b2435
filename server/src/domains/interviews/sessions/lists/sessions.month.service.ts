import type { Needs } from '../../../../kernel/call.ts'
import { countSessions } from './sessions.counts.store.ts'

/** The first instants of the month of UTC that an instant is in, and of the next one. */
const monthOf = (at: number): { readonly from: number; readonly to: number } => {
  const date = new Date(at)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + 1, 1) }
}

/** How many live sessions were made in the month of an instant: kept counts. What is tried in the sandbox is free. */
export const sessionsOfMonth = (
  call: Needs<'reader'>,
  { orgId, at }: { readonly orgId: string; readonly at: number },
): Promise<number> => countSessions(call.reader, { orgId, environment: 'live' }, monthOf(at))

/** How many live sessions were made in a stretch of time, its end excluded. */
export const sessionsBetween = (
  call: Needs<'reader'>,
  { orgId, from, to }: { readonly orgId: string; readonly from: number; readonly to: number },
): Promise<number> => countSessions(call.reader, { orgId, environment: 'live' }, { from, to })
