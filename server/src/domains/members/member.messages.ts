import { type BuiltInRole, consentLocaleFor } from '@integrity/protocol'
import { fillPlain } from '@integrity/protocol/clients/language'
import { mailMemberTexts } from '@integrity/protocol/texts/areas/mail-member'
import { type Letter, letterOf } from '../../platform/mail/letter.ts'
import { inOneLine } from '../../platform/mail/plain-text.ts'
import { spokenUtc } from '../../platform/mail/spoken-time.ts'

/** What somebody is told who was made a member. */
export interface Welcome {
  /** BCP 47; English where it says nothing that is written here. */
  readonly locale: string | undefined
  readonly org: string
  readonly name: string
  readonly role: BuiltInRole
  /** Whether their account was made with it, so that it has no password. */
  readonly isNew: boolean
  /** Where they set a password; `until` is in epoch milliseconds. */
  readonly link?: { readonly url: string; readonly until: number } | undefined
}

export const welcomeLetter = ({ locale: tag, org, name, role, isNew, link }: Welcome): Letter => {
  const locale = consentLocaleFor(tag)
  const texts = mailMemberTexts[locale]
  const values = { org: inOneLine(org), name: inOneLine(name), role: texts.roles[role] }
  return letterOf(locale, fillPlain(texts.subject, values), [
    fillPlain(texts.hello, values),
    fillPlain(texts.added, values),
    isNew ? texts.fresh : texts.known,
    link && { label: texts.setPassword, link: link.url },
    link && fillPlain(texts.until, { until: spokenUtc(locale, link.until) }),
    isNew && !link ? texts.forgot : undefined,
    texts.notYou,
  ])
}
