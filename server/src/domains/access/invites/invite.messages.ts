import { consentLocaleFor } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { mailInviteTexts } from '@integrity/protocol/texts/areas/mail-invite'
import { brandedLetter, type Letter } from '../../../platform/mail/letter.ts'
import { personInMail } from '../../../platform/mail/plain-text.ts'
import { spokenUtc } from '../../../platform/mail/spoken-time.ts'
import type { MailBrand } from '../../organisation/branding/letterhead.service.ts'
import type { InviteRow } from './invites.types.ts'

type Told = Pick<InviteRow, 'locale' | 'role' | 'customRoleName' | 'message' | 'expiresAt'>

/** The invitation to become a member; `url` holds the token. */
export const inviteLetter = (
  { locale: tag, role, customRoleName, message, expiresAt }: Told,
  { brand, url, takesReplies }: { readonly brand: MailBrand; readonly url: string; readonly takesReplies: boolean },
): Letter => {
  const locale = consentLocaleFor(tag)
  const texts = mailInviteTexts[locale]
  const values = { org: brand.name, role: personInMail(customRoleName ?? '') || texts.roles[role] }
  const parts = [
    texts.hello,
    fillPlain(texts.invited, values),
    ...(message === null ? [] : [texts.theirWords, { words: message }]),
    { link: url, label: texts.link, button: texts.button },
    texts.how,
    fillPlain(texts.until, { until: spokenUtc(locale, expiresAt) }),
    takesReplies ? texts.questions : undefined,
    texts.notYou,
  ]
  return brandedLetter({ language: locale, subject: fillPlain(texts.subject, values), parts, look: brand.look })
}
