import type { ConsentLocale } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { mailOrganisationTexts } from '@integrity/protocol/texts/areas/mail-organisation'
import { type Letter, letterOf } from '../../../platform/mail/letter.ts'

/** What of an organisation is due to be deleted, as the letter to its retention managers says it. */
export interface DueCounts {
  readonly orgId: string
  /** Interviews that are due within a week or overdue. */
  readonly soon: number
  readonly overdue: number
  readonly overdueObjects: number
}

/** Tells them what is due, and that nothing is deleted by itself. */
export const dueLetter = (
  locale: ConsentLocale,
  { orgId, soon, overdue, overdueObjects: objects }: DueCounts,
): Letter => {
  const texts = mailOrganisationTexts[locale]
  return letterOf(locale, overdue > 0 ? texts.overdueSubject : texts.dueSubject, [
    texts.hello,
    fillPlain(texts.due, { soon }),
    overdue > 0 ? fillPlain(texts.overdue, { overdue, objects }) : undefined,
    fillPlain(texts.dueHow, { orgId }),
    texts.dueHold,
    texts.dueAgain,
  ])
}
