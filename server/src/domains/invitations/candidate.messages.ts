import { consentLocaleFor } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { mailInvitationTexts } from '@integrity/protocol/texts/areas/mail-invitation'
import type { InvitationTexts } from '@integrity/protocol/texts/en/mail-invitation'
import type { Environment } from '../../kernel/identity/scope.ts'
import { inOneLine, paragraphs, quoted, subjectOf } from '../../platform/mail/plain-text.ts'
import { spokenTime, spokenUtc } from '../../platform/mail/spoken-time.ts'
import type { SessionRow } from '../sessions/sessions.types.ts'
import type { MessageKind } from './invitations.send.service.ts'

type Schedule = NonNullable<SessionRow['schedule']>

/** What a message to a candidate speaks of. */
export interface CandidateFacts {
  readonly message: MessageKind
  readonly environment: Environment
  readonly locale: string
  readonly orgName: string
  readonly name: string | null
  /** What holds, or what was cancelled. */
  readonly schedule: Schedule | null
  /** Absent where the candidate keeps the link of an earlier message. */
  readonly url: string | undefined
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** The inviter's own words. */
  readonly words: string | null
  /** Whether an answer to the message reaches the team. */
  readonly takesReplies: boolean
  /** Where the candidate can ask for their data, without a link of their own. */
  readonly requestsUrl: string
}

const textsOf = (locale: string): InvitationTexts => mailInvitationTexts[consentLocaleFor(locale)]

const appointmentOf = (texts: InvitationTexts, locale: string, schedule: Schedule): string => {
  const at = Date.parse(schedule.startsAt)
  return [
    fillPlain(texts.when, { time: spokenTime(locale, schedule.timeZone, at) }),
    fillPlain(texts.inUtc, { time: spokenUtc(locale, at) }),
    fillPlain(texts.howLong, { minutes: fillPlain(texts.minutes, { n: String(schedule.durationMinutes) }) }),
  ].join('\n')
}

/** The part about the link, where the message holds one. */
const linkOf = (texts: InvitationTexts, { url, locale, expiresAt, message }: CandidateFacts): string | undefined => {
  if (url === undefined) return undefined
  const personal = fillPlain(texts.personal, { until: spokenUtc(locale, expiresAt) })
  return paragraphs(
    `${texts.link}\n${url}`,
    message === 'cancelled' ? undefined : texts.whatItDoes,
    message === 'invited' ? personal : `${personal} ${texts.replaces}`,
  )
}

/** A message to the candidate: subject and plain text. The subject names nobody but the organisation. */
export const candidateMessageOf = (facts: CandidateFacts): { subject: string; text: string } => {
  const { message, environment, locale, schedule } = facts
  const texts = textsOf(locale)
  const org = inOneLine(facts.orgName)
  const cancelled = message === 'cancelled'
  const words = cancelled || facts.words === null ? undefined : facts.words
  return {
    subject: subjectOf(environment, fillPlain(texts.subject[message], { org })),
    text: paragraphs(
      facts.name === null ? texts.hello : fillPlain(texts.helloName, { name: inOneLine(facts.name) }),
      fillPlain(texts.opening[message], { org }),
      schedule ? appointmentOf(texts, locale, schedule) : texts.noTimeYet,
      cancelled ? (facts.url === undefined ? texts.earlierLink : texts.cancelledLink) : undefined,
      linkOf(texts, facts),
      words && `${fillPlain(texts.ownWords, { org })}\n${quoted(words)}`,
      cancelled ? undefined : facts.takesReplies ? texts.questionsByReply : texts.questions,
      `${texts.laterData}\n${facts.requestsUrl}`,
    ),
  }
}

/** What the candidate's own calendar shows. */
export const calendarWordsOf = (
  locale: string,
  { orgName, schedule, url }: { orgName: string; schedule: Schedule | null; url: string },
): { summary: string; description: string } => {
  const texts = textsOf(locale)
  const time = schedule ? spokenTime(locale, schedule.timeZone, Date.parse(schedule.startsAt)) : ''
  return {
    summary: fillPlain(texts.calendarTitle, { org: inOneLine(orgName) }),
    description: fillPlain(texts.calendarText, { url, time }),
  }
}
