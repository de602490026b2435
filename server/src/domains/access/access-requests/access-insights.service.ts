import type { Needs } from '../../../kernel/call.ts'
import { firstSessionsOf } from '../../interviews/sessions/lists/first-sessions.service.ts'
import { countStages, pageOfFounded } from './access-requests.store.ts'

const dayMs = 24 * 3_600_000
const usualDays = 90
const pageRows = 200

/** Of the organisations that came of a time's requests, how many have held a session, and one that counted. */
const countSessions = async (call: Needs<'reader'>, span: { from: number; to: number }) => {
  const counts = { first: 0, firstLive: 0 }
  for (let after: readonly [number, string] = [0, '']; ; ) {
    const page = await pageOfFounded(call.reader, span, after, pageRows)
    const found = await firstSessionsOf(
      call,
      page.map(({ orgId }) => orgId),
    )
    counts.first += found.any
    counts.firstLive += found.live
    const last = page.at(-1)
    if (!last || page.length < pageRows) return counts
    after = [last.createdAt, last.id]
  }
}

/** How far the requests of a time have come by now. */
export const readFunnel = async (
  call: Needs<'clock' | 'reader'>,
  asked: { readonly from?: string | undefined; readonly to?: string | undefined },
) => {
  const to = asked.to === undefined ? call.clock.now() + 1 : Date.parse(asked.to)
  const from = asked.from === undefined ? to - usualDays * dayMs : Date.parse(asked.from)
  const counted = await countStages(call.reader, from, to)
  const sessions = await countSessions(call, { from, to })
  const { requested, approved, opened, accepted, declined, pending } = counted
  const stages = {
    requested,
    approved,
    opened,
    accepted,
    first_session: sessions.first,
    first_live_session: sessions.firstLive,
  }
  return { from, to, stages, declined, waiting: pending }
}
