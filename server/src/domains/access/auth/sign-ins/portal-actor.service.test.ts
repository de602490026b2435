import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyEngine } from '../../../../../test/test-support/engines.ts'
import { specOf } from '../../../../../test/test-support/examples.ts'
import { addMember, join } from '../../../../../test/test-support/portal.ts'
import { startServer, type TestServer } from '../../../../../test/test-support/server.ts'
import { scheduleSession } from '../../../../../test/test-support/world.ts'
import { permissionsOf } from '../../../organisation/people/people.policy.ts'
import { actAsMember } from './portal-actor.service.ts'

for (const engine of everyEngine())
  describe(`acting as a member (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const bySession = specOf('portal.timeline')
    const byOrg = specOf('portal.apiKeys.list')
    const byComposition = { ...bySession, objectParam: { name: 'id', object: 'composition' } } as const
    const accountOf = ({ userId, email }: { userId: string; email: string }) =>
      ({ kind: 'account', id: userId, email, portalSessionId: 'pss_1', vouchedBy: null, onlyIn: null }) as const

    it('has the role and the environment of what the path names, in whichever of the organisations that is', async () => {
      const member = await addMember(server, 'reviewer')
      await join(server, member.userId, server.orgs[1].orgId, 'owner')
      for (const [org, role] of [
        [server.orgs[0], 'reviewer'],
        [server.orgs[1], 'owner'],
      ] as const) {
        const expected = { kind: 'user', id: member.userId, orgId: org.orgId, permissions: permissionsOf(role) }
        for (const [environment, key] of [
          ['live', org.liveKey],
          ['sandbox', org.sandboxKey],
        ] as const) {
          const { id } = await scheduleSession(server.client(key))
          const act = (spec: typeof bySession, name: string) =>
            actAsMember(server.app, { endpoint: spec, account: accountOf(member), params: { id: name } })
          expect(await act(bySession, id)).toMatchObject({ ...expected, environment })
          // A composition carries the id of its session.
          expect(await act(byComposition, id.replace('ses_', 'cmp_'))).toMatchObject({ ...expected, environment })
        }
        expect(
          await actAsMember(server.app, { endpoint: byOrg, account: accountOf(member), params: { orgId: org.orgId } }),
        ).toMatchObject(expected)
      }
    })

    it("finds nothing in another organisation's path, nor by what cannot be an id", async () => {
      const account = accountOf(await addMember(server, 'owner'))
      const { id } = await scheduleSession(server.client(server.orgs[1].sandboxKey))
      const ids = [id, '', 'ses_', '\0', 'a\u0000b', 'x'.repeat(129), "' OR 1=1 --", '%', '\ud800']
      for (const spec of [bySession, byComposition, specOf('portal.evidence.get')])
        for (const name of ids)
          await expect(
            actAsMember(server.app, { endpoint: spec, account, params: { id: name } }),
            JSON.stringify(name),
          ).rejects.toMatchObject({
            code: 'not_found',
          })
      for (const orgId of [server.orgs[1].orgId, ...ids])
        await expect(actAsMember(server.app, { endpoint: byOrg, account, params: { orgId } })).rejects.toMatchObject({
          code: 'not_found',
        })
    })

    it('is a fault of ours where an endpoint names nothing that an organisation owns', async () => {
      const account = accountOf(await addMember(server, 'owner'))
      await expect(actAsMember(server.app, { endpoint: specOf('auth.me'), account, params: {} })).rejects.toThrow(
        /auth\.me/,
      )
    })
  })
