import { beginSignIn } from '../src/domains/auth/sign-ins.service.ts'
import { insertMembership } from '../src/domains/people/memberships.store.ts'
import { permissionsOf } from '../src/domains/people/people.policy.ts'
import { insertUser } from '../src/domains/people/users.store.ts'
import { insertRole } from '../src/domains/roles/roles.store.ts'
import { inTx } from '../src/kernel/call.ts'
import type { Parts } from '../src/kernel/parts.ts'

/** Two members who may do the same, one by the built-in role and one by a custom one; each with an access cookie. */
export const makeMembers = (app: Parts, orgId: string) =>
  app.db.transact(async (tx) => {
    const now = app.clock.now()
    const role = { id: app.newId('rol'), name: 'The same', description: '', createdAt: now, updatedAt: now }
    await insertRole(tx, orgId, { ...role, permissions: permissionsOf('admin').join(' ') })
    const member = async (email: string, customRoleId: string | null) => {
      const userId = app.newId('usr')
      await insertUser(tx, { id: userId, email, now })
      const membership = { id: app.newId('mem'), userId, customRoleId, now }
      await insertMembership(tx, orgId, { ...membership, role: customRoleId === null ? 'admin' : 'reviewer' })
      const { access } = await beginSignIn(inTx(app, tx), { userId })
      return `portal_access=${access}`
    }
    return { builtIn: await member('built-in@example.org', null), custom: await member('custom@example.org', role.id) }
  })
