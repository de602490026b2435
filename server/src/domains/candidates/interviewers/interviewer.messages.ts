import { consentLocaleFor } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { mailInterviewerTexts } from '@integrity/protocol/texts/areas/mail-interviewer'
import type { InterviewerMailTexts } from '@integrity/protocol/texts/en/mail-interviewer'
import type { Environment } from '../../../kernel/identity/scope.ts'
import { brandedLetter, type Letter, type LetterPart } from '../../../platform/mail/letter.ts'
import { orgInMail, paragraphs, personInMail, subjectOf } from '../../../platform/mail/plain-text.ts'
import { spokenTime, spokenUtc } from '../../../platform/mail/spoken-time.ts'
import type { SessionRow } from '../../interviews/sessions/sessions.types.ts'
import type { MailBrand } from '../../organisation/branding/letterhead.service.ts'
import type { RecordedOfInterviewers } from './interviewers.recorded.service.ts'
import type { NoticeKind } from './interviewers.send.service.ts'

type Recorded = Pick<RecordedOfInterviewers, 'voice' | 'words'>

/** What a message to an interviewer speaks of. */
export interface NoticeFacts {
  readonly notice: NoticeKind
  readonly environment: Environment
  readonly locale: string
  readonly brand: MailBrand
  readonly name: string | null
  /** What holds, or what was cancelled. */
  readonly schedule: SessionRow['schedule']
  readonly url: string | undefined
  readonly recorded: Recorded
  /** Whether the message brings a file for a calendar. */
  readonly withCalendar: boolean
}

const textsOf = (locale: string): InterviewerMailTexts => mailInterviewerTexts[consentLocaleFor(locale)]

/** The one sentence: what of their voice is recorded. */
const sentenceOf = ({ recorded: texts }: InterviewerMailTexts, { voice, words }: Recorded): string => {
  if (voice) return words ? texts.both : texts.voice
  return words ? texts.words : texts.neither
}

const appointmentOf = (texts: InterviewerMailTexts, { locale, schedule }: NoticeFacts): string => {
  if (schedule === null) return texts.noTimeYet
  const at = Date.parse(schedule.startsAt)
  return [
    fillPlain(texts.when, { time: spokenTime(locale, schedule.timeZone, at) }),
    fillPlain(texts.inUtc, { time: spokenUtc(locale, at) }),
    fillPlain(texts.howLong, { n: String(schedule.durationMinutes) }),
  ].join('\n')
}

/** A message to an interviewer. It names nobody but them and the organisation. */
export const noticeLetter = (facts: NoticeFacts): Letter => {
  const { notice, environment, locale, brand, url, recorded, withCalendar } = facts
  const texts = textsOf(locale)
  const org = brand.name
  const name = personInMail(facts.name ?? '')
  const cancelled = notice === 'cancelled'
  const isOver = cancelled || notice === 'removed'
  const parts: LetterPart[] = [
    name === '' ? texts.hello : fillPlain(texts.helloName, { name }),
    fillPlain(texts.opening[notice], { org }),
    notice === 'removed' ? undefined : appointmentOf(texts, facts),
    isOver ? undefined : sentenceOf(texts, recorded),
    isOver && withCalendar ? texts.cancelledMeans : undefined,
    url === undefined || cancelled ? undefined : { link: url, label: texts.link, button: texts.button },
    brand.contact === undefined ? undefined : fillPlain(texts.contact, { org, contact: brand.contact }),
  ]
  const subject = subjectOf(environment, fillPlain(texts.subject[notice], { org }))
  return brandedLetter({ language: consentLocaleFor(locale), subject, parts, look: brand.look })
}

/** That sentence and where to read more, for a calendar. */
export const calendarNotice = (
  locale: string,
  { recorded, url }: { readonly recorded: Recorded; readonly url: string | undefined },
): string => {
  const texts = textsOf(locale)
  return paragraphs(sentenceOf(texts, recorded), url === undefined ? undefined : `${texts.link}\n${url}`)
}

/** What the calendar of an interviewer shows: not whom they speak with, as calendars are shared. */
export const calendarWordsOf = (
  locale: string,
  { orgName, ...told }: { readonly orgName: string; readonly recorded: Recorded; readonly url: string | undefined },
): { summary: string; description: string } => ({
  summary: fillPlain(textsOf(locale).calendarTitle, { org: orgInMail(orgName) }),
  description: calendarNotice(locale, told),
})
