import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'

const dayMs = 86_400_000
/** The page can be read this much longer than anything is kept. */
const graceDays = 30
/** The end of the year 9999, after which an instant needs more digits than the interface knows. */
const lastInstant = Date.UTC(10_000, 0) - 1

/** Until when a link that is made now shall work, epoch milliseconds. */
export const linkExpiresAt = ({ schedule, config }: Pick<SessionRow, 'schedule' | 'config'>, now: number): number => {
  const from = schedule === null ? now : Math.max(now, Date.parse(schedule.startsAt))
  return Math.min(lastInstant, from + (config.retentionDays + graceDays) * dayMs)
}
