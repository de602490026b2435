import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestLink } from '../../test-support/candidate-requests.ts'
import { hasEngine } from '../../test-support/databases.ts'
import { inDays } from '../../test-support/invitations.ts'
import { addMember } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { seatOf } from '../../test-support/sign-ins.ts'
import { fullConfig, register, scheduleSession } from '../../test-support/world.ts'

for (const engine of ['sqlite', 'postgres'] as const)
  describe.skipIf(!hasEngine(engine))(`whom a candidate can ask (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    const api = () => server.client(server.orgs[0].sandboxKey)
    const scope = () => ({ orgId: server.orgs[0].orgId, environment: 'sandbox' as const })
    const joinLink = async (id: string, role: 'candidate' | 'companion') =>
      (await api().call('sessions.joinLinks.create', { params: { id }, body: { role } })).data.joinCode
    const join = async (id: string) =>
      (await server.client().call('agent.sessions.join', { body: { joinCode: await joinLink(id, 'candidate') } })).data

    it('is who invited, by name and address, with the appointment, on every device and on the page of requests', async () => {
      const member = await addMember(server, 'interviewer')
      const schedule = inDays(server, 1)
      const session = await scheduleSession(api(), { config: fullConfig, schedule })
      const { id } = session
      await server.client().call('portal.invitations.create', {
        params: { orgId: scope().orgId, id },
        headers: await seatOf(server, member.userId),
        body: { email: 'candidate@example.org', name: 'Candidate 1' },
      })
      const inviter = { name: null, replyTo: member.email }
      const joined = await join(id)
      expect(joined).toMatchObject({ inviter, session: { schedule } })
      await register(server, session)
      const joinCode = await joinLink(id, 'companion')
      const phone = await server.client().call('pairings.claim', { params: { joinCode }, body: {} })
      expect(phone.data).toMatchObject({ inviter, session: { schedule } })
      const { data: device } = await api().call('sessions.roomDevices.create', { params: { id }, body: {} })
      const room = await server.client(device.roomToken).call('rooms.get', { params: { sessionId: id } })
      expect(room.data).toMatchObject({ inviter, session: { schedule } })
      const token = await requestLink(server, scope(), id)
      expect((await server.client(token).call('candidateRequests.view')).data.inviter).toEqual(inviter)
    })

    it('is nobody where a program scheduled it and nobody was invited', async () => {
      const session = await scheduleSession(api())
      expect(await join(session.id)).toMatchObject({ inviter: null, session: { schedule: null } })
    })
  })
