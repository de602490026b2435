import { insertRole } from '../../../src/domains/access/roles/roles.store.ts'
import { findMemberByUser } from '../../../src/domains/organisation/people/memberships.store.ts'
import { addMember, addPerson, join, portalCookie, type TestMember } from '../portal.ts'
import { seatOf } from '../sign-ins.ts'
import type { World } from '../world.ts'
import { byUser, type Examples, ofOrg } from './example.ts'

let made = 0
const next = (): number => {
  made += 1
  return made
}

const held = 'Held'
const permissions = ['session.view', 'evidence.list'] as const

/** An organisation has a limited number of roles: those that other examples made go first. */
const freshRole = async ({ server, scope }: World, name = `Spare ${next()}`): Promise<string> => {
  const { app } = server
  const { orgId } = scope
  const now = app.clock.now()
  const role = { name, description: '', permissions: permissions.join(' '), createdAt: now, updatedAt: now }
  const roleId = app.newId('rol')
  await app.db.transact(async (tx) => {
    await tx.run('DELETE FROM custom_roles WHERE org_id = ? AND name NOT LIKE ?', [orgId, `${held}%`])
    await insertRole(tx, orgId, { id: roleId, ...role })
  })
  return roleId
}

const heldRole = async (world: World): Promise<string> => {
  const sql = 'SELECT role_id AS id FROM custom_roles WHERE org_id = ? AND name = ?'
  const known = await world.server.app.db.reader.get<{ id: string }>(sql, [world.scope.orgId, held])
  return known?.id ?? freshRole(world, held)
}

const freshMember = async ({ server, scope }: World): Promise<string> => {
  const { userId } = await addMember(server, 'reviewer', scope.orgId)
  return (await findMemberByUser(server.app.db.reader, scope.orgId, userId))?.id ?? ''
}

const travellers = new WeakMap<World, Promise<TestMember>>()
/** A member of three organisations. */
const traveller = (world: World): Promise<TestMember> => {
  const make = async () => {
    const { server } = world
    const person = await addPerson(server)
    for (const { orgId } of server.orgs) await join(server, person.userId, orgId, 'reviewer')
    const headers = await seatOf(server, person.userId)
    await server.client().call('portal.orgs.create', { headers, body: { name: `Third ${next()}` } })
    return person
  }
  const known = travellers.get(world) ?? make()
  travellers.set(world, known)
  return known
}

export const peopleExamples = {
  'portal.orgs.list': async (world) => ({ headers: await seatOf(world.server, (await traveller(world)).userId) }),
  'portal.orgs.dataProtection.set': async (world) => ({
    ...(await ofOrg(world)),
    json: {
      controller: 'Example Ltd, Pune',
      lawfulBasis: 'consent',
      contact: 'privacy@example.org',
      alternative: 'An interview in our office, without a recording.',
    },
  }),
  'portal.orgs.review.set': async (world) => ({ ...(await ofOrg(world)), json: { baseRates: true } }),
  'portal.orgs.secondFactor.set': async (world) => ({ ...(await ofOrg(world)), json: { required: false } }),
  'portal.orgs.create': async (world) => ({
    headers: await seatOf(world.server, (await addPerson(world.server)).userId),
    json: { name: 'Example & Co', slug: `example-${next()}x` },
  }),
  'portal.orgs.get': ofOrg,
  'portal.members.list': async (world) => {
    for (const role of ['admin', 'reviewer'] as const) await portalCookie(world.server, role, world.scope.orgId)
    return ofOrg(world)
  },
  'portal.members.add': async (world) => ({
    ...(await ofOrg(world)),
    json: { email: `added${next()}@example.org`, name: 'Asha Rao', role: 'reviewer' },
  }),
  'portal.members.change': async (world) => ({
    headers: await byUser(world),
    params: { orgId: world.scope.orgId, membershipId: await freshMember(world) },
    json: { role: 'interviewer' },
  }),
  'portal.roles.list': ofOrg,
  'portal.roles.create': async (world) => {
    await freshRole(world)
    return { ...(await ofOrg(world)), json: { name: `Hiring desk ${next()}`, permissions } }
  },
  'portal.roles.change': async (world) => ({
    headers: await byUser(world),
    params: { orgId: world.scope.orgId, roleId: await freshRole(world) },
    json: { name: `Renamed ${next()}` },
  }),
  'portal.roles.delete': async (world) => ({
    headers: await byUser(world),
    params: { orgId: world.scope.orgId, roleId: await freshRole(world) },
  }),
  'portal.roles.assign': async (world) => ({
    headers: await byUser(world),
    params: { orgId: world.scope.orgId, membershipId: await freshMember(world) },
    json: { roleId: await heldRole(world) },
  }),
} satisfies Examples
