import { mailSsoTexts } from '@integrity/protocol/texts/areas/mail-sso'
import { type Letter, letterOf } from '../../platform/mail/letter.ts'

/** Tells owners that one of them signed in without the identity provider that the organisation requires. */
export const passwordUsedLetter = (address: string): Letter => {
  const texts = mailSsoTexts.en
  return letterOf('en', texts.passwordUsedSubject, [
    texts.hello,
    texts.passwordUsed.replace('{address}', address),
    texts.notThem,
  ])
}
