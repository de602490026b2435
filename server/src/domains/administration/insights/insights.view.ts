import { milestoneNames, type SessionState, sessionStates } from '@integrity/protocol'
import { dateOf, everyDay } from '../../../kernel/days.ts'
import { isoOrNull } from '../../../kernel/time.ts'
import type { Insights } from './insights.service.ts'

const inEachState = (count: (state: SessionState) => number) =>
  Object.fromEntries(sessionStates.map((state) => [state, count(state)])) as Record<SessionState, number>

export const insightsView = ({ days, milestones, sessions, invitations, reviews }: Insights) => {
  const sum = (state: SessionState) => sessions.reduce((total, day) => total + day[state], 0)
  return {
    milestones: milestoneNames.map((name) => ({ name, at: isoOrNull(milestones[name]) })),
    funnel: [
      ...sessionStates.map((stage) => ({ stage, sessions: sum(stage) })),
      { stage: 'reviewed' as const, sessions: reviews.completed },
    ],
    invitations: { ...invitations },
    reviews: { ...reviews, oldestOpenAt: isoOrNull(reviews.oldestOpenAt) },
    daily: everyDay(days, sessions, (day, row) => ({
      date: dateOf(day),
      ...inEachState((state) => row?.[state] ?? 0),
    })),
  }
}
