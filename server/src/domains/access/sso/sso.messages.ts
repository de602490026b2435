import type { ConsentLocale } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { mailSsoTexts } from '@integrity/protocol/texts/areas/mail-sso'
import { type Letter, letterOf } from '../../../platform/mail/letter.ts'
import { spokenUtc } from '../../../platform/mail/spoken-time.ts'

/** Tells who manages single sign-on that the record is missing, while there is time to put it back. */
export const domainMissingLetter = (
  locale: ConsentLocale,
  about: { readonly domain: string; readonly record: string; readonly value: string; readonly endsAt: number },
): Letter => {
  const texts = mailSsoTexts[locale]
  const { domain, record, value, endsAt } = about
  return letterOf(locale, fillPlain(texts.domainMissingSubject, { domain }), [
    texts.hello,
    fillPlain(texts.domainMissing, { domain, record, until: spokenUtc(locale, endsAt) }),
    fillPlain(texts.domainMissingHow, { value }),
  ])
}

/** Tells them that the domain is no longer verified, and why. */
export const domainEndedLetter = (
  locale: ConsentLocale,
  { domain, why }: { readonly domain: string; readonly why: 'missing' | 'proved_elsewhere' },
): Letter => {
  const texts = mailSsoTexts[locale]
  return letterOf(locale, fillPlain(texts.domainEndedSubject, { domain }), [
    texts.hello,
    fillPlain(texts.domainEnded[why], { domain }),
    texts.domainEndedHow,
  ])
}
