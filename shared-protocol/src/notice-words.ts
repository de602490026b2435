import { fillPlain } from './clients/language.ts'
import type { ConsentLocale } from './consent-texts.ts'
import type { DataProtection } from './domains/organisation/orgs/orgs.schemas.ts'
import { noticeTexts } from './texts/areas/notice.ts'

/** What an organisation says of itself, and how it is called. */
export interface Notice extends DataProtection {
  readonly org: string
}

export const noticeSubjects = ['controller', 'basis', 'contact', 'alternative'] as const
export type NoticeSubject = (typeof noticeSubjects)[number]

/** One sentence of the notice; undefined where the organisation set nothing. */
export const noticeSentence = (
  { org, controller, lawfulBasis, contact, alternative }: Notice,
  subject: NoticeSubject,
  locale: ConsentLocale = 'en',
): string | undefined => {
  const texts = noticeTexts[locale]
  const [value, text] = {
    controller: [controller, texts['notice.controller']],
    basis: [lawfulBasis, texts[`notice.basis.${lawfulBasis ?? 'consent'}`]],
    contact: [contact, texts['notice.contact']],
    alternative: [alternative, texts['notice.alternative']],
  }[subject]
  return value === undefined || text === undefined ? undefined : fillPlain(text, { org, value }, locale)
}

/** The same sentences in the consent document, on the invitation and in the statement. */
export const noticeSentences = (notice: Notice, locale: ConsentLocale = 'en'): string[] =>
  noticeSubjects.map((subject) => noticeSentence(notice, subject, locale)).filter((text) => text !== undefined)
