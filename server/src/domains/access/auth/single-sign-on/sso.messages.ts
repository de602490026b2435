import type { ConsentLocale } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { mailSsoTexts } from '@integrity/protocol/texts/areas/mail-sso'
import { type Letter, letterOf } from '../../../../platform/mail/letter.ts'
import { orgInMail } from '../../../../platform/mail/plain-text.ts'
import { spokenUtc } from '../../../../platform/mail/spoken-time.ts'

/** Tells owners that one of them signed in without the identity provider that the organisation requires. */
export const passwordUsedLetter = (locale: ConsentLocale, address: string): Letter => {
  const texts = mailSsoTexts[locale]
  return letterOf(locale, texts.passwordUsedSubject, [
    texts.hello,
    fillPlain(texts.passwordUsed, { address }),
    texts.notThem,
  ])
}

/** Tells an account that an organisation's single sign-on was linked to it, or sends it the link again. */
export const vouchingLetter = (
  locale: ConsentLocale,
  about: { readonly org: string; readonly url: string; readonly expiresAt: number; readonly isNews: boolean },
): Letter => {
  const texts = mailSsoTexts[locale]
  const values = { org: orgInMail(about.org) || '…' }
  return letterOf(locale, fillPlain(about.isNews ? texts.linkedSubject : texts.agreeSubject, values), [
    texts.hello,
    about.isNews ? fillPlain(texts.linked, values) : undefined,
    fillPlain(texts.agreeHow, values),
    { link: about.url, label: fillPlain(texts.agreeLink, values) },
    fillPlain(texts.until, { until: spokenUtc(locale, about.expiresAt) }),
    fillPlain(texts.linkedNotYou, values),
  ])
}
