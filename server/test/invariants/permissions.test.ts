import { type EndpointId, neededWords, type Permission, permissions } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findMemberByUser, updateMembership } from '../../src/domains/people/memberships.store.ts'
import { insertRole, updateRole } from '../../src/domains/roles/roles.store.ts'
import { hasEngine } from '../test-support/databases.ts'
import { type Example, makeExample, specOf } from '../test-support/examples.ts'
import { addMember, type TestMember } from '../test-support/portal.ts'
import { failureOf, send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { seatOf } from '../test-support/sign-ins.ts'
import { buildWorld, type World } from '../test-support/world.ts'
import { allIds, auditRows, expectHouseRules, ofWhoeverHasIt } from './common.ts'

const everyPermission = Object.keys(permissions) as Permission[]

/** What these hand on must be held by who does it, so that their own permission alone is not enough. */
const handsOn: ReadonlySet<EndpointId> = new Set([
  'portal.apiKeys.create',
  'portal.members.add',
  'portal.members.change',
  'portal.invites.create',
  'portal.invites.resend',
  'portal.invites.revoke',
  'portal.roles.create',
  'portal.roles.change',
  'portal.roles.delete',
  'portal.roles.assign',
])

const forMembers = allIds.flatMap((id) => {
  const rule = specOf(id).auth.find(({ kind }) => kind === 'user')
  return rule?.kind === 'user' ? [{ id, ...rule }] : []
})

for (const engine of ['sqlite', 'postgres'] as const)
  describe.skipIf(!hasEngine(engine))(`a member with a custom role (${engine})`, () => {
    let server: TestServer
    let world: World
    let member: TestMember
    let role: Parameters<typeof updateRole>[2]

    beforeAll(async () => {
      server = await startServer({ engine })
      world = await buildWorld(server)
      // What the built-in role would allow must not help.
      member = await addMember(server, 'admin')
      const { app } = server
      const { orgId } = world.scope
      const at = { createdAt: app.clock.now(), updatedAt: app.clock.now() }
      role = { id: app.newId('rol'), name: 'Held by the matrix', description: '', permissions: '', ...at }
      await app.db.transact(async (tx) => {
        await insertRole(tx, orgId, role)
        const before = await findMemberByUser(tx, orgId, member.userId)
        if (before) await updateMembership(tx, orgId, before, { ...before, customRoleId: role.id })
      })
    })
    afterAll(() => server.stop())

    const hold = (held: readonly Permission[]) =>
      server.app.db.transact((tx) => updateRole(tx, world.scope.orgId, { ...role, permissions: held.join(' ') }))
    const ask = async (id: EndpointId, held: readonly Permission[], made?: Example) => {
      const example = made ?? (await makeExample(world, id))
      await hold(held)
      const cookie = await seatOf(server, member.userId)
      const before = await auditRows(world)
      const answer = await send(server.url, specOf(id), { ...example, headers: { ...example.headers, ...cookie } })
      expectHouseRules(specOf(id), answer)
      const succeeds = (specOf(id).success as readonly number[]).includes(answer.status)
      if (!succeeds) expect(await auditRows(world)).toBe(before)
      return { answer, succeeds }
    }

    for (const { id, permission, orPermission } of forMembers) {
      it(`who holds everything is answered by ${id}`, async () => {
        const { answer, succeeds } = await ask(id, everyPermission)
        expect(succeeds, answer.text).toBe(true)
      })

      if (permission === undefined)
        it(`who holds anything is answered by ${id}`, async () => {
          for (const held of everyPermission) expect((await ask(id, [held])).succeeds, held).toBe(true)
        })
      else
        it(`of all that one can hold, ${id} asks for ${neededWords({ permission, orPermission })}`, async () => {
          const needs = `this needs the permission ${neededWords({ permission, orPermission })}`
          const others = everyPermission.filter((name) => name !== permission && name !== orPermission)
          // What is refused leaves its example as it was. What one permission alone is not enough for is no database's.
          const refused = await makeExample(world, id)
          for (const held of [others, ...(engine === 'sqlite' ? others.map((name) => [name]) : [])]) {
            const { answer } = await ask(id, held, refused)
            expect([answer.status, failureOf(answer).error.message], held.join(' ')).toEqual([403, needs])
          }
          for (const held of orPermission ? [permission, orPermission] : [permission]) {
            const { answer, succeeds } = await ask(id, [held])
            expect(succeeds, answer.text).toBe(!handsOn.has(id) && !ofWhoeverHasIt.has(id))
            if (!succeeds) expect([answer.status, failureOf(answer).error.message]).not.toEqual([403, needs])
          }
        })
    }
  })
