import { type BuiltInRole, consentLocaleFor } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { mailMemberTexts } from '@integrity/protocol/texts/areas/mail-member'
import { brandedLetter, type Letter } from '../../../platform/mail/letter.ts'
import { personInMail } from '../../../platform/mail/plain-text.ts'
import { spokenUtc } from '../../../platform/mail/spoken-time.ts'
import type { MailBrand } from '../../organisation/branding/letterhead.service.ts'

/** The message to a new member. */
export interface Welcome {
  /** BCP 47; English where it says nothing that is written here. */
  readonly locale: string | undefined
  readonly brand: MailBrand
  readonly name: string
  readonly role: BuiltInRole
  /** Whether their account was made with it, so that it has no password. */
  readonly isNew: boolean
  /** Where they set a password; `until` is in epoch milliseconds. */
  readonly link?: { readonly url: string; readonly until: number } | undefined
}

export const welcomeLetter = ({ locale: tag, brand, name, role, isNew, link }: Welcome): Letter => {
  const locale = consentLocaleFor(tag)
  const texts = mailMemberTexts[locale]
  const values = { org: brand.name, name: personInMail(name), role: texts.roles[role] }
  const parts = [
    values.name === '' ? texts.helloNobody : fillPlain(texts.hello, values),
    fillPlain(texts.added, values),
    isNew ? texts.fresh : texts.known,
    link && { label: texts.setPassword, link: link.url },
    link && fillPlain(texts.until, { until: spokenUtc(locale, link.until) }),
    isNew && !link ? texts.forgot : undefined,
    texts.notYou,
  ]
  return brandedLetter({ language: locale, subject: fillPlain(texts.subject, values), parts, look: brand.look })
}
