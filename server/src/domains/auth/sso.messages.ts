import type { ConsentLocale } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { mailSsoTexts } from '@integrity/protocol/texts/areas/mail-sso'
import { type Letter, letterOf } from '../../platform/mail/letter.ts'

/** Tells owners that one of them signed in without the identity provider that the organisation requires. */
export const passwordUsedLetter = (locale: ConsentLocale, address: string): Letter => {
  const texts = mailSsoTexts[locale]
  return letterOf(locale, texts.passwordUsedSubject, [
    texts.hello,
    fillPlain(texts.passwordUsed, { address }),
    texts.notThem,
  ])
}
