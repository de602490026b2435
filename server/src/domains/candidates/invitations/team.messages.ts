import type { contactTopics } from '@integrity/protocol'
import { inOneLine, paragraphs, quoted, subjectOf } from '../../../platform/mail/plain-text.ts'
import { spokenTime, spokenUtc } from '../../../platform/mail/spoken-time.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import type { InvitationRow } from './invitations.types.ts'

/** A message to the hiring team; it is in English. */
export interface Notice {
  readonly subject: string
  readonly text: string
}

interface About {
  readonly invitation: Pick<InvitationRow, 'email' | 'name'>
  readonly session: Pick<SessionRow, 'id' | 'environment' | 'externalId' | 'candidateLabel' | 'schedule'>
}

const named = (title: string, value: string | null): readonly string[] =>
  value === null ? [] : [`${`${title}:`.padEnd(13)}${inOneLine(value)}`]

const timeOf = (schedule: SessionRow['schedule']): string | null => {
  if (schedule === null) return null
  const at = Date.parse(schedule.startsAt)
  return `${spokenTime('en', schedule.timeZone, at)}; ${spokenUtc('en', at)}`
}

/** Which interview it is about. The subject says nothing of it, as subjects are shown to whoever looks at a screen. */
const factsOf = ({ invitation, session }: About): string =>
  [
    ...named('Candidate', [invitation.name, invitation.email].filter(Boolean).join(', ') || null),
    ...named('Shown as', session.candidateLabel),
    ...named('Reference', session.externalId),
    ...named('Session', session.id),
    ...named('Appointment', timeOf(session.schedule)),
    ...named('Environment', session.environment),
  ].join('\n')

export const declinedNotice = (about: About & { readonly reason?: string }): Notice => ({
  subject: subjectOf(about.session.environment, 'A candidate has declined an interview'),
  text: paragraphs(
    'An invited candidate has declined. Their link no longer works; you can invite anew if that changes.',
    factsOf(about),
    about.reason === undefined ? undefined : `The reason, in their own words:\n${quoted(about.reason)}`,
    about.reason === undefined
      ? undefined
      : 'The service does not keep the reason: this message is the only copy. An answer to it goes to the candidate.',
  ),
})

const topics: Readonly<Record<(typeof contactTopics)[number], { subject: string; opening: string }>> = {
  accommodation: {
    subject: 'A candidate asks for an accommodation',
    opening: 'An invited candidate writes about what would make the interview easier for them:',
  },
  question: {
    subject: 'A candidate has a question',
    opening: 'An invited candidate has a question:',
  },
  new_time: {
    subject: 'A candidate asks for another time',
    opening: 'An invited candidate asks for another time:',
  },
}

export const contactNotice = (
  about: About & {
    readonly topic: (typeof contactTopics)[number]
    readonly text: string
    readonly replyTo: string
  },
): Notice => ({
  subject: subjectOf(about.session.environment, topics[about.topic].subject),
  text: paragraphs(
    `${topics[about.topic].opening}\n${quoted(about.text)}`,
    factsOf(about),
    `The service does not keep these words: this message is the only copy. Answer it to write to the candidate (${about.replyTo}).`,
  ),
})
