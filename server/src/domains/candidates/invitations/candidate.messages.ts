import { consentLocaleFor } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { mailInvitationTexts } from '@integrity/protocol/texts/areas/mail-invitation'
import type { InvitationTexts } from '@integrity/protocol/texts/en/mail-invitation'
import type { Environment } from '../../../kernel/identity/scope.ts'
import { brandedLetter, type Letter, type LetterPart } from '../../../platform/mail/letter.ts'
import { orgInMail, paragraphs, personInMail, subjectOf } from '../../../platform/mail/plain-text.ts'
import { spokenTime, spokenUtc } from '../../../platform/mail/spoken-time.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import type { MailBrand } from '../../organisation/branding/letterhead.service.ts'
import type { MessageKind } from './invitations.send.service.ts'

type Schedule = NonNullable<SessionRow['schedule']>

/** What a message to a candidate speaks of. */
export interface CandidateFacts {
  readonly message: MessageKind
  readonly environment: Environment
  readonly locale: string
  readonly brand: MailBrand
  readonly name: string | null
  /** Who invites, where that is a person with a name. */
  readonly person?: string | undefined
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

const whoOf = (texts: InvitationTexts, { person, message }: CandidateFacts): string[] =>
  person === undefined || message === 'cancelled' ? [] : [fillPlain(texts.who, { person })]

const appointmentOf = (texts: InvitationTexts, facts: CandidateFacts): string => {
  const { locale, schedule } = facts
  if (schedule === null) return [texts.noTimeYet, ...whoOf(texts, facts)].join('\n')
  const at = Date.parse(schedule.startsAt)
  return [
    fillPlain(texts.when, { time: spokenTime(locale, schedule.timeZone, at) }),
    fillPlain(texts.inUtc, { time: spokenUtc(locale, at) }),
    fillPlain(texts.howLong, { minutes: fillPlain(texts.minutes, { n: String(schedule.durationMinutes) }) }),
    ...whoOf(texts, facts),
  ].join('\n')
}

/** The part about the link, where the message holds one. */
const linkOf = (texts: InvitationTexts, { url, locale, expiresAt, message }: CandidateFacts): LetterPart[] => {
  if (url === undefined) return []
  const personal = fillPlain(texts.personal, { until: spokenUtc(locale, expiresAt) })
  return [
    { link: url, label: texts.link, button: texts.button },
    message === 'cancelled' ? undefined : texts.whatItDoes,
    message === 'invited' ? personal : `${personal} ${texts.replaces}`,
  ]
}

/** What the organisation says in words of its own: the sentence of its brand first, to whom it invites. */
const wordsOf = ({ message, words, brand }: CandidateFacts): string | undefined => {
  if (message === 'cancelled') return undefined
  const welcome = message === 'invited' || message === 'again' ? brand.welcome : undefined
  return paragraphs(welcome, words ?? undefined) || undefined
}

/** A message to the candidate. The subject names nobody but the organisation. */
export const candidateMessageOf = (facts: CandidateFacts): Letter => {
  const { message, environment, locale, brand } = facts
  const texts = textsOf(locale)
  const org = brand.name
  const name = personInMail(facts.name ?? '')
  const cancelled = message === 'cancelled'
  const words = wordsOf(facts)
  const parts: LetterPart[] = [
    name === '' ? texts.hello : fillPlain(texts.helloName, { name }),
    fillPlain(texts.opening[message], { org }),
    appointmentOf(texts, facts),
    cancelled ? (facts.url === undefined ? texts.earlierLink : texts.cancelledLink) : undefined,
    ...linkOf(texts, facts),
    ...(words === undefined ? [] : [fillPlain(texts.ownWords, { org }), { words }]),
    cancelled ? undefined : facts.takesReplies ? texts.questionsByReply : texts.questions,
    { link: facts.requestsUrl, label: texts.laterData },
    brand.contact === undefined ? undefined : fillPlain(texts.contact, { org, contact: brand.contact }),
  ]
  const subject = subjectOf(environment, fillPlain(texts.subject[message], { org }))
  return brandedLetter({ language: consentLocaleFor(locale), subject, parts, look: brand.look })
}

/** That the interview does not take place as planned: of an invitation or a session that has ended. */
export const withdrawalOf = ({
  environment,
  locale,
  brand,
  name,
  schedule,
}: Pick<CandidateFacts, 'environment' | 'locale' | 'brand' | 'name'> & { readonly schedule: Schedule }): Letter => {
  const texts = textsOf(locale)
  const org = orgInMail(brand.name)
  const person = personInMail(name ?? '')
  const at = Date.parse(schedule.startsAt)
  const parts: LetterPart[] = [
    person === '' ? texts.hello : fillPlain(texts.helloName, { name: person }),
    fillPlain(texts.withdrawn, { org }),
    [
      fillPlain(texts.when, { time: spokenTime(locale, schedule.timeZone, at) }),
      fillPlain(texts.inUtc, { time: spokenUtc(locale, at) }),
    ].join('\n'),
    texts.withdrawnCalendar,
    brand.contact === undefined ? undefined : fillPlain(texts.contact, { org, contact: brand.contact }),
  ]
  const subject = subjectOf(environment, fillPlain(texts.subject.cancelled, { org }))
  return brandedLetter({ language: consentLocaleFor(locale), subject, parts, look: brand.look })
}

/**
 * What the candidate's own calendar shows. Without `url` it says where the link is: calendars that take an appointment
 * out of a message by themselves are shared more often than messages are.
 */
export const calendarWordsOf = (
  locale: string,
  { orgName, schedule, url }: { orgName: string; schedule: Schedule | null; url?: string },
): { summary: string; description: string } => {
  const texts = textsOf(locale)
  const time = schedule ? spokenTime(locale, schedule.timeZone, Date.parse(schedule.startsAt)) : ''
  return {
    summary: fillPlain(texts.calendarTitle, { org: orgInMail(orgName) }),
    description:
      url === undefined ? fillPlain(texts.calendarInMail, { time }) : fillPlain(texts.calendarText, { url, time }),
  }
}
