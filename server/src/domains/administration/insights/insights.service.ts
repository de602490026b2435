import type { milestoneNames } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import { type Days, daysOf } from '../../../kernel/days.ts'
import type { Outcomes } from '../../candidates/invitations/invitations.types.ts'
import { firstInvitedAt, invitationOutcomes } from '../../candidates/invitations/outcomes.service.ts'
import { firstReviewAt, type QueueFacts, queueFacts } from '../../interviews/reviews/turnaround.service.ts'
import { firstSessionAt, type SessionDay, sessionDays } from '../../interviews/sessions/lists/session-days.service.ts'
import { getOrg } from '../../organisation/orgs/orgs.service.ts'
import { firstColleagueAt } from '../../organisation/people/memberships.service.ts'

const dayMs = 86_400_000

export interface Insights {
  readonly days: Days
  readonly milestones: Readonly<Record<(typeof milestoneNames)[number], number | null>>
  readonly sessions: readonly SessionDay[]
  readonly invitations: Outcomes
  readonly reviews: QueueFacts
}

const milestonesOf = async (call: Needs<'reader'>, orgId: string): Promise<Insights['milestones']> => {
  const live = { orgId, environment: 'live' } as const
  const sandbox = { orgId, environment: 'sandbox' } as const
  return {
    organisation_created: (await getOrg(call, orgId)).createdAt,
    first_colleague_joined: await firstColleagueAt(call, orgId),
    first_sandbox_session: await firstSessionAt(call, { scope: sandbox, state: 'scheduled' }),
    first_session_scheduled: await firstSessionAt(call, { scope: live, state: 'scheduled' }),
    first_invitation_sent: await firstInvitedAt(call, live),
    first_session_started: await firstSessionAt(call, { scope: live, state: 'live' }),
    first_session_ended: await firstSessionAt(call, { scope: live, state: 'ended' }),
    first_review_completed: await firstReviewAt(call, live),
  }
}

interface ReadInsightsInput {
  readonly orgId: string
  readonly asked: { readonly from?: string | undefined; readonly to?: string | undefined }
}

/** How an organisation's own work went in the time asked for, in the live environment. */
export const readInsights = async (
  call: Needs<'clock' | 'reader'>,
  { orgId, asked }: ReadInsightsInput,
): Promise<Insights> => {
  const days = daysOf(asked, call.clock.now())
  const span = { from: days.from * dayMs, until: days.until * dayMs }
  const live = { orgId, environment: 'live' } as const
  return {
    days,
    milestones: await milestonesOf(call, orgId),
    sessions: await sessionDays(call, { scope: live, days }),
    invitations: await invitationOutcomes(call, { scope: live, span }),
    reviews: await queueFacts(call, { scope: live, span }),
  }
}
