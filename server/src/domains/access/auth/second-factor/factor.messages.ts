import { consentLocaleFor } from '@integrity/protocol'
import { mailFactorTexts } from '@integrity/protocol/texts/areas/mail-factor'
import { type Letter, letterOf } from '../../../../platform/mail/letter.ts'
import type { FactorNews } from './factor-news.service.ts'

/** Tells of a change of the second factor; no code and no secret stands in it. */
export const factorLetter = (tag: string, news: FactorNews): Letter => {
  const locale = consentLocaleFor(tag)
  const texts = mailFactorTexts[locale]
  const of = {
    totp_added: [texts.addedSubject, texts.appAdded],
    passkey_added: [texts.addedSubject, texts.passkeyAdded],
    totp_removed: [texts.removedSubject, texts.appRemoved],
    passkey_removed: [texts.removedSubject, texts.passkeyRemoved],
    last_removed: [texts.lastRemovedSubject, texts.lastRemoved],
    recovery_code_used: [texts.codeUsedSubject, texts.codeUsed],
  } as const satisfies Record<FactorNews, readonly [string, string]>
  const [subject, words] = of[news]
  return letterOf(locale, subject, [texts.hello, words, texts.notYou])
}
