import type { toldBy } from '@integrity/protocol'
import { iso } from '../../../kernel/time.ts'
import type { InterviewerRow } from './interviewers.types.ts'

const toldOf = ({ mailedAt, calendarAt, openedAt }: InterviewerRow) => {
  const times: Readonly<Record<(typeof toldBy)[number], number | null>> = {
    mail: mailedAt,
    calendar: calendarAt,
    page: openedAt,
  }
  return (Object.keys(times) as (typeof toldBy)[number][])
    .flatMap((by) => (times[by] === null ? [] : [{ by, at: times[by] }]))
    .sort((a, b) => a.at - b.at)
    .map(({ by, at }) => ({ by, at: iso(at) }))
}

const deliveryOf = ({ sentAt, refusedAt }: InterviewerRow) => {
  if (sentAt !== null) return 'sent' as const
  return refusedAt === null ? ('queued' as const) : ('refused' as const)
}

/** An interviewer as the organisation sees them: never with their link. */
export const interviewerView = (row: InterviewerRow) => ({
  id: row.id,
  email: row.email,
  name: row.name,
  locale: row.locale,
  addedBy: row.addedBy,
  addedAt: iso(row.createdAt),
  delivery: deliveryOf(row),
  told: toldOf(row),
})
