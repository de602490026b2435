import type { Permission } from '@integrity/protocol'
import { insertRole, updateRole } from '../../src/domains/access/roles/roles.store.ts'
import { findMemberByUser, updateMembership } from '../../src/domains/organisation/people/memberships.store.ts'
import { addMember } from './portal.ts'
import { seatOf } from './sign-ins.ts'
import type { World } from './world.ts'

/** A member whose custom role is what each question needs: what the built-in role would allow does not help. */
export const memberWithCustomRole = async ({
  server,
  scope: { orgId },
}: Pick<World, 'server'> & { readonly scope: Pick<World['scope'], 'orgId'> }) => {
  const { app } = server
  const member = await addMember(server, 'admin', orgId)
  const at = { createdAt: app.clock.now(), updatedAt: app.clock.now() }
  const role = { id: app.newId('rol'), name: 'Held by the matrix', description: '', permissions: '', ...at }
  await app.db.transact(async (tx) => {
    await insertRole(tx, orgId, role)
    const before = await findMemberByUser(tx, orgId, member.userId)
    if (before) await updateMembership(tx, orgId, before, { ...before, customRoleId: role.id })
  })
  /** The cookie of the member, who holds these from now on and nothing else. */
  const holding = async (held: readonly Permission[]): Promise<{ cookie: string }> => {
    await app.db.transact((tx) => updateRole(tx, orgId, { ...role, permissions: held.join(' ') }))
    return seatOf(server, member.userId)
  }
  return { ...member, holding }
}
