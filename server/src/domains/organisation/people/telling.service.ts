import type { ConsentLocale, Permission } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import type { Letter } from '../../../platform/mail/letter.ts'
import { addressesOfHoldersByLanguage } from './people.service.ts'

interface TellHoldersInput {
  readonly id: string
  readonly orgId: string
  readonly permission: Permission
  readonly letterIn: (locale: ConsentLocale) => Letter
}

/** Mails whoever holds a permission, one message for each language; sent again under the same id, they are the same ones. */
export const tellHolders = async (
  call: Needs<'mail' | 'reader'>,
  { id, orgId, permission, letterIn }: TellHoldersInput,
): Promise<void> => {
  for (const [locale, to] of await addressesOfHoldersByLanguage(call, { orgId, permission }))
    await call.mail.send({ id: `${id}-${locale}`, to, ...letterIn(locale) })
}
