import { consentLocaleFor } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { mailPasswordTexts } from '@integrity/protocol/texts/areas/mail-password'
import { type Letter, letterOf } from '../../../../platform/mail/letter.ts'
import { spokenUtc } from '../../../../platform/mail/spoken-time.ts'

/** The link that somebody asked for; `url` holds the token. */
export const linkLetter = (tag: string, url: string, expiresAt: number): Letter => {
  const locale = consentLocaleFor(tag)
  const texts = mailPasswordTexts[locale]
  const until = fillPlain(texts.until, { until: spokenUtc(locale, expiresAt) })
  return letterOf(locale, texts.subject, [
    texts.hello,
    texts.asked,
    { link: url, label: texts.link },
    until,
    texts.notYou,
  ])
}

/** Tells that a password was set. */
export const changedLetter = (tag: string): Letter => {
  const locale = consentLocaleFor(tag)
  const texts = mailPasswordTexts[locale]
  return letterOf(locale, texts.changedSubject, [texts.hello, texts.changed, texts.changedNotYou])
}
