import { ownPalette } from '@integrity/protocol'
import type { MailBrand } from './letterhead.service.ts'

/** What an organisation's mails look like that has set nothing, or this. */
export const aMailBrand = (name = 'Example', fields: Partial<MailBrand> = {}): MailBrand => {
  const { accent, accentText } = ownPalette
  return { name, contact: undefined, welcome: undefined, look: { name, accent, accentText }, ...fields }
}
