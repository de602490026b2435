import { ownPalette } from '@integrity/protocol'
import { orgInMail } from '../../../platform/mail/plain-text.ts'
import type { MailBrand } from './letterhead.service.ts'

/** What an organisation's mails look like that has set nothing, or this. */
export const aMailBrand = (called = 'Example', fields: Partial<MailBrand> = {}): MailBrand => {
  const name = orgInMail(called)
  const { accent, accentText } = ownPalette
  return { name, contact: undefined, welcome: undefined, look: { name, accent, accentText }, ...fields }
}
