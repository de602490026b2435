import { accommodationDays } from '@integrity/protocol'

/** The same day of the next month, or its last day (GDPR, Article 12(3)); in UTC. */
const monthAfter = (at: number): number => {
  const date = new Date(at)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const lastDay = new Date(Date.UTC(year, month + 2, 0)).getUTCDate()
  return Date.UTC(year, month + 1, Math.min(day, lastDay)) + (at % 86_400_000)
}

const dayMs = 86_400_000

interface Asked {
  readonly kind: string
  readonly createdAt: number
  /** Of the session, as it is kept. */
  readonly schedule: string | null
}

/** Until when an answer is due: of what is needed for the interview, before it begins. */
export const answerDueAt = ({ kind, createdAt, schedule }: Asked): number | null => {
  if (kind === 'context_statement') return null
  if (kind === 'access' || kind === 'erasure') return monthAfter(createdAt)
  const days = createdAt + accommodationDays * dayMs
  const startsAt = schedule === null ? days : Date.parse((JSON.parse(schedule) as { startsAt: string }).startsAt)
  return startsAt > createdAt ? Math.min(startsAt, days) : days
}
