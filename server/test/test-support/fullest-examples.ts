import { type EndpointId, type Permission, permissions, scopes } from '@integrity/protocol'
import { insertRole } from '../../src/domains/access/roles/roles.store.ts'
import { exceedingScopes } from '../../src/domains/organisation/api-keys/api-keys.policy.ts'
import { mintApiKey } from '../../src/domains/organisation/api-keys/api-keys.service.ts'
import { findMemberByUser } from '../../src/domains/organisation/people/memberships.store.ts'
import { permissionsOf } from '../../src/domains/organisation/people/people.policy.ts'
import { system } from '../../src/kernel/identity/actor.ts'
import { type MakeExample, ofOrg } from './examples/example.ts'
import { type Example, examples, withJson } from './examples.ts'
import { freshAddress, pendingInvite } from './invites.ts'
import { addMember } from './portal.ts'
import type { World } from './world.ts'

const everything = Object.keys(permissions) as Permission[]

/** An organisation has a limited number of keys and roles: those that were made here go first. */
const withoutSpareKeys = ({ server, scope: { orgId } }: World) =>
  server.app.db.transact((tx) =>
    tx.run("UPDATE api_keys SET revoked_at = 0 WHERE org_id = ? AND label = 'Of every scope'", [orgId]),
  )
const spareKey = async ({ server, scope: { orgId } }: World): Promise<string> => {
  const { app } = server
  const input = { label: 'To be rotated', environment: 'live', scopes } as const
  const { keyId } = await app.db.transact((tx) =>
    mintApiKey({ ...app, tx, reader: tx }, { orgId, actor: system, input }),
  )
  return keyId
}

let made = 0
const fullRole = async ({ server: { app }, scope: { orgId } }: World): Promise<string> => {
  made += 1
  const at = { createdAt: app.clock.now(), updatedAt: app.clock.now() }
  const role = { id: app.newId('rol'), name: `Full ${made}`, description: '', permissions: everything.join(' '), ...at }
  await app.db.transact(async (tx) => {
    await tx.run("DELETE FROM custom_roles WHERE org_id = ? AND name LIKE 'Full %'", [orgId])
    await insertRole(tx, orgId, role)
  })
  return role.id
}

const freshMember = async ({ server, scope: { orgId } }: World): Promise<string> => {
  const { userId } = await addMember(server, 'reviewer', orgId)
  return (await findMemberByUser(server.app.db.reader, orgId, userId))?.id ?? ''
}

interface Fullest {
  readonly make: MakeExample
  /** What the request hands on. */
  readonly gives: readonly Permission[]
}

const admin = permissionsOf('admin')
/** What a maker of a key with every scope needs. */
const ofScopes = everything.filter(
  (one) =>
    exceedingScopes(
      scopes,
      everything.filter((other) => other !== one),
    ).length > 0,
)
const asBefore = (id: EndpointId): Fullest => ({ make: (world) => examples[id](world), gives: everything })

/** Of what hands on more than its own permission reaches, requests that hand on as much as there is. */
const fullest: { readonly [Id in EndpointId]?: Fullest } = {
  'portal.apiKeys.create': {
    gives: ofScopes,
    make: async (world) => {
      await withoutSpareKeys(world)
      return { ...(await ofOrg(world)), json: { label: 'Of every scope', environment: 'live', scopes } }
    },
  },
  'portal.apiKeys.rotate': {
    gives: ofScopes,
    make: async (world) => ({ params: { orgId: world.scope.orgId, keyId: await spareKey(world) }, json: {} }),
  },
  'portal.members.add': {
    gives: admin,
    make: async (world) => ({
      ...(await ofOrg(world)),
      json: { email: freshAddress(), name: 'Asha Rao', role: 'admin' },
    }),
  },
  'portal.members.change': {
    gives: admin,
    make: async (world) => ({
      params: { orgId: world.scope.orgId, membershipId: await freshMember(world) },
      json: { role: 'admin' },
    }),
  },
  'portal.invites.create': {
    gives: everything,
    make: async (world) => ({
      ...(await ofOrg(world)),
      json: { email: freshAddress(), role: 'reviewer', customRoleId: await fullRole(world) },
    }),
  },
  'portal.invites.resend': {
    gives: everything,
    make: async (world) => {
      const { orgId } = world.scope
      const { id } = await pendingInvite(world.server, { customRoleId: await fullRole(world) }, orgId)
      return { params: { orgId, inviteId: id } }
    },
  },
  'portal.roles.create': {
    gives: everything,
    make: async (world) => {
      await fullRole(world)
      made += 1
      return { ...(await ofOrg(world)), json: { name: `Full ${made}`, permissions: everything } }
    },
  },
  'portal.roles.change': {
    gives: everything,
    make: async (world) => ({
      params: { orgId: world.scope.orgId, roleId: await fullRole(world) },
      json: { description: 'Does everything.' },
    }),
  },
  'portal.roles.delete': {
    gives: everything,
    make: async (world) => ({ params: { orgId: world.scope.orgId, roleId: await fullRole(world) } }),
  },
  'portal.roles.assign': {
    gives: everything,
    make: async (world) => ({
      params: { orgId: world.scope.orgId, membershipId: await freshMember(world) },
      json: { roleId: await fullRole(world) },
    }),
  },
  'portal.sso.put': asBefore('portal.sso.put'),
  'portal.scim.issueToken': asBefore('portal.scim.issueToken'),
}

export const fullestOf = (id: EndpointId): Fullest | undefined => fullest[id]

export const makeFullest = async (world: World, { make }: Fullest): Promise<Example> => {
  const example = await make(world)
  return example.json === undefined ? example : withJson(example, example.json)
}
