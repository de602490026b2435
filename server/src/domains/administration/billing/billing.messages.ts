import type { ConsentLocale } from '@integrity/protocol'
import { mailOrganisationTexts } from '@integrity/protocol/texts/areas/mail-organisation'
import { type Letter, letterOf } from '../../../platform/mail/letter.ts'

/** Tells who manages the payments of an organisation that more than one subscription is charged. */
export const severalLetter = (locale: ConsentLocale, link: string): Letter => {
  const texts = mailOrganisationTexts[locale]
  return letterOf(locale, texts.severalSubject, [
    texts.hello,
    texts.several,
    texts.severalHow,
    { link, label: texts.severalLink },
  ])
}
