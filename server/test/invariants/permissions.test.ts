import { type EndpointId, grantKinds, neededWords, type Permission, permissions } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memberWithCustomRole } from '../test-support/custom-role.ts'
import { enginesInTurn, isInTurn } from '../test-support/engines.ts'
import { type Example, makeExample, specOf } from '../test-support/examples.ts'
import { failureOf, send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld, type World } from '../test-support/world.ts'
import { allIds, auditRows, expectHouseRules, ofWhoeverHasIt } from './common.ts'

const everyPermission = Object.keys(permissions) as Permission[]

/** What hands on more must be held by who does it, so that the endpoint's own permission alone is not enough; `grants.test.ts` says how. */
const asksForMore = (id: EndpointId): boolean => {
  const { grants } = specOf(id)
  if (id === 'portal.invites.revoke' || ofWhoeverHasIt.has(id)) return true
  return grants !== undefined && grantKinds[grants].asks !== 'nothing_more'
}

/** Whoever holds every permission is no owner by that. */
const asksForOwner = (id: EndpointId): boolean => {
  const { grants } = specOf(id)
  return grants !== undefined && grantKinds[grants].asks === 'owner'
}

const forMembers = allIds.flatMap((id) => {
  const rule = specOf(id).auth.find(({ kind }) => kind === 'user')
  return rule?.kind === 'user' ? [{ id, ...rule }] : []
})

for (const engine of enginesInTurn(import.meta.filename))
  describe(`a member with a custom role (${engine})`, () => {
    let server: TestServer
    let world: World
    let member: Awaited<ReturnType<typeof memberWithCustomRole>>

    beforeAll(async () => {
      server = await startServer({ engine })
      world = await buildWorld(server)
      member = await memberWithCustomRole(world)
    })
    afterAll(() => server.stop())

    const ask = async (id: EndpointId, held: readonly Permission[], made?: Example) => {
      const example = made ?? (await makeExample(world, id))
      const cookie = await member.holding(held)
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
        expect(succeeds, answer.text).toBe(!asksForOwner(id))
      })

      if (permission === undefined)
        it(`who holds anything is answered by ${id}`, async () => {
          for (const held of everyPermission) expect((await ask(id, [held])).succeeds, held).toBe(true)
        })
      else
        it(`of all that one can hold, ${id} asks for ${neededWords({ permission, orPermission })}`, async () => {
          const needs = `this needs the permission ${neededWords({ permission, orPermission })}`
          const others = everyPermission.filter((name) => name !== permission && name !== orPermission)
          // What is refused leaves its example as it was. What all others together are not enough for, none of them is alone.
          const refused = await makeExample(world, id)
          for (const held of [others, ...(engine === 'sqlite' && isInTurn(id) ? others.map((name) => [name]) : [])]) {
            const { answer } = await ask(id, held, refused)
            expect([answer.status, failureOf(answer).error.message], held.join(' ')).toEqual([403, needs])
          }
          for (const held of orPermission ? [permission, orPermission] : [permission]) {
            const { answer, succeeds } = await ask(id, [held])
            expect(succeeds, answer.text).toBe(!asksForMore(id))
            if (!succeeds) expect([answer.status, failureOf(answer).error.message]).not.toEqual([403, needs])
          }
        })
    }
  })
