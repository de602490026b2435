import type { By, Needs } from '../../../kernel/call.ts'
import { countActiveForUpdate } from '../../organisation/people/people.service.ts'
import type { MemberRow } from '../../organisation/people/people.types.ts'
import { endSignInsOf } from '../auth/sign-ins/sign-ins.service.ts'
import { endVouching } from '../auth/single-sign-on/vouching.service.ts'
import { endUngivenInvites } from '../invites/ungiven.service.ts'

/**
 * What ends with a membership, in the transaction that deactivates it, and nowhere else: pages and streams of the organisation
 * at once here, and elsewhere as soon as word of it arrives; the sign-ins of who is a member of nothing any more. Keys that
 * the person made go on (`keysMadeBy` names them); pending invites that they gave end.
 */
export const endMembership = async (
  call: By & Needs<'audit' | 'clock' | 'credentials' | 'reader' | 'streams' | 'tx'>,
  { orgId, userId }: Pick<MemberRow, 'userId'> & { readonly orgId: string },
): Promise<void> => {
  if ((await countActiveForUpdate(call, userId)) === 0) await endSignInsOf(call, { userId, reason: 'deactivated' })
  // What the organisation vouched for ends in the others, too.
  await endVouching(call, { orgId, userId })
  await endUngivenInvites(call, { orgId, userId })
  call.tx.afterCommit(() => {
    call.streams.endOf(userId)
    call.credentials.clear()
  })
}
