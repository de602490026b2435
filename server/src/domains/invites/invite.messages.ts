import { consentLocaleFor } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { mailInviteTexts } from '@integrity/protocol/texts/areas/mail-invite'
import { type Letter, letterOf } from '../../platform/mail/letter.ts'
import { inOneLine } from '../../platform/mail/plain-text.ts'
import { spokenUtc } from '../../platform/mail/spoken-time.ts'
import type { InviteRow } from './invites.types.ts'

type Told = Pick<InviteRow, 'locale' | 'role' | 'customRoleName' | 'message' | 'expiresAt'>

/** The invitation to become a member; `url` holds the token. */
export const inviteLetter = (
  { locale: tag, role, customRoleName, message, expiresAt }: Told,
  { org, url, takesReplies }: { readonly org: string; readonly url: string; readonly takesReplies: boolean },
): Letter => {
  const locale = consentLocaleFor(tag)
  const texts = mailInviteTexts[locale]
  const values = { org: inOneLine(org), role: inOneLine(customRoleName ?? texts.roles[role]) }
  return letterOf(locale, fillPlain(texts.subject, values), [
    texts.hello,
    fillPlain(texts.invited, values),
    ...(message === null ? [] : [texts.theirWords, { words: message }]),
    { link: url, label: texts.link },
    texts.how,
    fillPlain(texts.until, { until: spokenUtc(locale, expiresAt) }),
    takesReplies ? texts.questions : undefined,
    texts.notYou,
  ])
}
