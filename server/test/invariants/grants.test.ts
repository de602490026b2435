import { type EndpointId, grantKinds, type Permission, permissions } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memberWithCustomRole } from '../test-support/custom-role.ts'
import { enginesInTurn } from '../test-support/engines.ts'
import { type Example, specOf } from '../test-support/examples.ts'
import { fullestOf, makeFullest } from '../test-support/fullest-examples.ts'
import { failureOf, send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld, type World } from '../test-support/world.ts'
import { allIds, auditRows, expectHouseRules } from './common.ts'

const everyPermission = Object.keys(permissions) as Permission[]

/** Every way to a secret or a power that reaches further than the permission it is asked with. */
const ways = allIds.flatMap((id) => {
  const { grants, auth } = specOf(id)
  if (grants === undefined || grantKinds[grants].asks === 'nothing_more') return []
  const rule = auth.find(({ kind }) => kind === 'user')
  return [{ id, own: rule?.kind === 'user' ? rule.permission : undefined, asks: grantKinds[grants].asks }]
})

const wayOf = (id: EndpointId) => {
  const way = fullestOf(id)
  if (!way) throw new Error(`fullest-examples.ts has no request of ${id}, which hands on what it may not`)
  return way
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`who lacks one permission of what a request hands on (${engine})`, () => {
    let server: TestServer
    let world: World
    let member: Awaited<ReturnType<typeof memberWithCustomRole>>
    beforeAll(async () => {
      server = await startServer({ engine })
      world = await buildWorld(server)
      member = await memberWithCustomRole(world)
    })
    afterAll(() => server.stop())

    const ask = async (id: EndpointId, held: readonly Permission[], example: Example) => {
      const cookie = await member.holding(held)
      const before = await auditRows(world)
      const answer = await send(server.url, specOf(id), { ...example, headers: { ...example.headers, ...cookie } })
      expectHouseRules(specOf(id), answer)
      if (answer.status >= 400) expect(await auditRows(world)).toBe(before)
      return answer
    }

    it.each(ways)('is refused by $id, and who lacks another is answered', async ({ id, own, asks }) => {
      const way = wayOf(id)
      // Whoever holds every permission is no owner by that.
      const needed = new Set<Permission>(asks === 'owner' ? everyPermission : [...way.gives, ...(own ? [own] : [])])
      // What is refused leaves its example as it was.
      const refused = await makeFullest(world, way)
      for (const lacked of everyPermission) {
        const held = everyPermission.filter((name) => name !== lacked)
        const example = needed.has(lacked) ? refused : await makeFullest(world, way)
        const answer = await ask(id, held, example)
        const told = `${lacked}: ${answer.text.slice(0, 300)}`
        if (!needed.has(lacked)) expect(specOf(id).success, told).toContain(answer.status)
        else expect([answer.status, failureOf(answer).error.code], told).toEqual([403, 'forbidden'])
      }
      const done = await ask(id, everyPermission, await makeFullest(world, way))
      expect(asks === 'owner' ? [403] : specOf(id).success, done.text).toContain(done.status)
    })
  })
