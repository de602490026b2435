import type { By, Needs } from '../../../kernel/call.ts'
import { mayStillGive } from '../../organisation/people/guards.service.ts'
import { endInvite, listPendingInvites } from './invites.store.ts'
import type { InviteRow } from './invites.types.ts'

interface Whose {
  readonly orgId: string
  /** Whoever gave them; everybody's where somebody's role was changed for all who hold it, or who offer it. */
  readonly userId?: string | undefined
}

/** What invites with the same answer share. */
const kindOf = ({ givenBy, role, customRoleId }: InviteRow): string => [givenBy, role, customRoleId].join()

/**
 * Ends the pending invites whose giver could not give them any more. Call with the people locked, once what somebody may do, or
 * what a role holds, has changed: an invite that would be refused is not shown as one that waits.
 */
export const endUngivenInvites = async (
  call: By & Needs<'audit' | 'clock' | 'tx'>,
  { orgId, userId }: Whose,
): Promise<void> => {
  const { tx, actor } = call
  const now = call.clock.now()
  const pending = await listPendingInvites(tx, orgId, { now, givenBy: userId })
  for (const alike of Map.groupBy(pending, kindOf).values()) {
    const [role] = alike
    if (!role || (await mayStillGive({ reader: tx }, { orgId, userId: role.givenBy, role }))) continue
    for (const { id, givenBy } of alike) {
      await endInvite(tx, orgId, id, { state: 'revoked', now })
      const payload = { again: false, giver: givenBy }
      await call.audit.append({ tx, scope: { orgId }, actor }, { action: 'invite.revoked', target: id, payload })
    }
  }
}
