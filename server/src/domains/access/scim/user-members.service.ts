import type { Needs } from '../../../kernel/call.ts'
import { memberOfEmail } from '../../organisation/people/memberships.service.ts'
import { wasRemoved } from './users.store.ts'

/** The member who has this address, and whether the identity provider removed them before. */
export const memberOfAddress = async (
  call: Needs<'tx'>,
  { orgId, email }: { readonly orgId: string; readonly email: string },
): Promise<{ readonly id: string; readonly removed: boolean } | undefined> => {
  const member = await memberOfEmail({ reader: call.tx }, { orgId, email })
  return member && { id: member.id, removed: await wasRemoved(call.tx, orgId, member.id) }
}
