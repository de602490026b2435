import type { EndpointId } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintToken } from '../test-support/devices.ts'
import { enginesInTurn } from '../test-support/engines.ts'
import { makeExample, specOf } from '../test-support/examples.ts'
import { failureOf, type RawAnswer, send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { buildWorld, type World } from '../test-support/world.ts'
import { allIds, auditRows, eventsSince, expectHouseRules, isAnonymous } from './common.ts'

/** Their ids are those of a standard, the same for everybody. */
const published: ReadonlySet<EndpointId> = new Set(['scim.resourceTypes.get', 'scim.schemas.get'])

/** A join code in the path is the caller's own secret and names its session itself. */
const withIds = allIds.filter((id) => specOf(id).path.includes('{') && !isAnonymous(specOf(id)) && !published.has(id))
const bound = ['agent', 'companion', 'room'] as const
const named = (rule: { kind: string }) => (bound as readonly string[]).includes(rule.kind)

for (const engine of enginesInTurn(import.meta.filename))
  describe(`somebody else's id (${engine})`, () => {
    let server: TestServer
    let ours: World
    let neighbour: World
    let otherOrg: World
    let otherEnvironment: World

    beforeAll(async () => {
      server = await startServer({ engine })
      ours = await buildWorld(server)
      neighbour = await buildWorld(server)
      otherOrg = await buildWorld(server, 1)
      otherEnvironment = await buildWorld(server, 0, 'live')
    })
    afterAll(() => server.stop())

    const expectNothingThere = (id: EndpointId, answer: RawAnswer, foreign: World, params: Record<string, string>) => {
      expect(answer.status, answer.text).toBe(404)
      expect(failureOf(answer).error.code).toBe('not_found')
      expectHouseRules(specOf(id), answer)
      const secrets = [...Object.values(params), foreign.live.id, foreign.scope.orgId]
      for (const secret of secrets)
        expect(`${answer.text} ${JSON.stringify([...answer.headers])}`).not.toContain(secret)
    }

    /** The foreign example's ids, asked for with our own credentials. */
    const ask = async (id: EndpointId, foreign: World, headers: Readonly<Record<string, string>>) => {
      const theirs = await makeExample(foreign, id)
      const own = await makeExample(ours, id)
      const before = [await auditRows(foreign), (await eventsSince(foreign, 0)).seq, await auditRows(ours)]
      const answer = await send(server.url, specOf(id), {
        ...own,
        params: theirs.params,
        headers: { ...own.headers, ...headers },
      })
      expect([await auditRows(foreign), (await eventsSince(foreign, 0)).seq, await auditRows(ours)]).toEqual(before)
      return { answer, params: { ...theirs.params } }
    }

    for (const id of withIds) {
      // What the access desk decides on belongs to no organisation.
      if (specOf(id).auth.some((rule) => rule.kind === 'desk_operator')) continue
      it(`is not found at ${id} when it is another organisation's`, async () => {
        const { answer, params } = await ask(id, otherOrg, {})
        expectNothingThere(id, answer, otherOrg, params)
      })

      const names = specOf(id).path.match(/\{\w+\}/g) ?? []
      if (names.length > 1)
        it(`is not found at ${id} when one of its ids is another organisation's`, async () => {
          const theirs = (await makeExample(otherOrg, id)).params ?? {}
          for (const [name, value] of Object.entries(theirs)) {
            const own = await makeExample(ours, id)
            // The name of a source, such as `screen`, is the same for all.
            if (own.params?.[name] === value) continue
            const params = { ...own.params, [name]: value }
            const answer = await send(server.url, specOf(id), { ...own, params })
            expectNothingThere(id, answer, otherOrg, { [name]: value })
          }
        })

      const isOfOrg = specOf(id).path.includes('{orgSlug}')
      if (isOfOrg || specOf(id).auth.some((rule) => rule.kind === 'user' || rule.kind === 'scim')) {
        it(`is answered at ${id} in either environment, for members are of both`, async () => {
          for (const world of [ours, otherEnvironment]) {
            const answer = await send(server.url, specOf(id), await makeExample(world, id))
            expect(specOf(id).success as readonly number[], answer.text).toContain(answer.status)
          }
        })
      } else
        it(`is not found at ${id} when it is of the other environment`, async () => {
          const { answer, params } = await ask(id, otherEnvironment, {})
          expectNothingThere(
            id,
            answer,
            { ...otherEnvironment, scope: { ...otherEnvironment.scope, orgId: 'org_none' } },
            params,
          )
        })

      it(`is not found at ${id} when nobody ever had it`, async () => {
        const own = await makeExample(ours, id)
        const ids = ['ses_00000000000000000000000000', '%', "'; DROP TABLE sessions; --", '../..', 'é', '\ud83d\ude00']
        for (const value of ids) {
          const params = Object.fromEntries(Object.keys(own.params ?? {}).map((name) => [name, value]))
          const answer = await send(server.url, specOf(id), { ...own, params })
          expect(answer.status, `${value}: ${answer.text}`).toBe(404)
          expectHouseRules(specOf(id), answer)
        }
      })

      for (const rule of specOf(id).auth.filter(named))
        it(`is not found at ${id} for ${rule.kind} of another session`, async () => {
          const kind = rule.kind as (typeof bound)[number]
          const token = kind === 'agent' ? ours.live.agent : await mintToken(server, ours.scope, ours.live.id, kind)
          const { answer, params } = await ask(id, neighbour, { authorization: `Bearer ${token}` })
          expectNothingThere(id, answer, { ...neighbour, scope: { ...neighbour.scope, orgId: 'org_none' } }, params)
        })
    }
  })
