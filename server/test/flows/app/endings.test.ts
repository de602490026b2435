import { liveCloseCodes } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endCredential } from '../../../src/domains/interviews/sessions/joining/joining.service.ts'
import { hasEngine } from '../../test-support/engines.ts'
import { openLive } from '../../test-support/live-client.ts'
import { type OtherServer, startOther } from '../../test-support/other-server.ts'
import { addMember, portalCookie, signIn } from '../../test-support/portal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { openStream } from '../../test-support/sse-client.ts'
import { until } from '../../test-support/until.ts'
import { liveSession, scheduleSession } from '../../test-support/world.ts'

/** The clock stands still: what ends here was ended by word of it, and by no poll, heartbeat, or age of what was remembered. */
describe.skipIf(!hasEngine('postgres'))('what one process ends, ends in the other', () => {
  let server: TestServer
  let other: OtherServer
  beforeAll(async () => {
    server = await startServer({ engine: 'postgres' })
    other = await startOther(server)
  })
  afterAll(async () => {
    await other.stop()
    await server.stop()
  })

  const portal = async () => ({
    client: server.client(),
    headers: await portalCookie(server),
    orgId: server.orgs[0].orgId,
  })
  const newKey = async () => {
    const { client, headers, orgId } = await portal()
    const body = { label: 'ends', environment: 'sandbox', scopes: ['events:read', 'sessions:read'] } as const
    return (
      await client.call('portal.apiKeys.create', {
        params: { orgId },
        headers,
        body: { ...body, scopes: [...body.scopes] },
      })
    ).data
  }
  const streamAtOther = async (token: string) => {
    const stream = await openStream(`${other.url}/v1/api/events/stream`, { authorization: `Bearer ${token}` })
    expect(stream.status).toBe(200)
    return stream
  }
  /** Whether the other process still lets somebody in. */
  const letsIn = async (path: string, headers: Record<string, string>): Promise<boolean> => {
    const answer = await fetch(`${other.url}${path}`, { headers })
    await answer.body?.cancel()
    return answer.ok
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  it.each(['revoke', 'rotate'] as const)('a key: %s', async (how) => {
    const { id: keyId, token } = await newKey()
    const streams = [await streamAtOther(token), await streamAtOther(token)]
    const untouched = await streamAtOther(server.orgs[0].sandboxKey)
    expect(await letsIn('/v1/api/events', bearer(token))).toBe(true)
    const { client, headers, orgId } = await portal()
    await client.call(`portal.apiKeys.${how}`, { params: { orgId, keyId }, headers })
    expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual([true, true])
    await until(async () => !(await letsIn('/v1/api/events', bearer(token))))
    expect(await letsIn('/v1/api/events', bearer(server.orgs[0].sandboxKey))).toBe(true)
    expect(other.app.streams.size).toBe(1)
    untouched.close()
    await untouched.ended
  })

  it('the sign-in of a member who was deactivated', async () => {
    const { client, headers, orgId } = await portal()
    const member = await addMember(server, 'reviewer')
    const { cookie } = await signIn(server, member.email)
    const path = '/v1/auth/me'
    expect(await letsIn(path, { cookie })).toBe(true)
    const { data } = await client.call('portal.members.list', { params: { orgId }, headers })
    const membershipId = data.items.find(({ email }) => email === member.email)!.id
    await client.call('portal.members.change', {
      params: { orgId, membershipId },
      headers,
      body: { active: false } as never,
    })
    await until(async () => !(await letsIn(path, { cookie })))
  })

  it('what a member may do no more, with the very next request', async () => {
    const { client, headers, orgId } = await portal()
    const member = await addMember(server, 'admin')
    const { cookie } = await signIn(server, member.email)
    const path = `/v1/orgs/${orgId}/api-keys`
    expect(await letsIn(path, { cookie })).toBe(true)
    const { data } = await client.call('portal.members.list', { params: { orgId }, headers })
    const membershipId = data.items.find(({ email }) => email === member.email)!.id
    const turn = (role: 'admin' | 'reviewer') =>
      client.call('portal.members.change', { params: { orgId, membershipId }, headers, body: { role } })
    await turn('reviewer')
    expect(await letsIn(path, { cookie })).toBe(false)
    await turn('admin')
    expect(await letsIn(path, { cookie })).toBe(true)
  })

  it('the token and the socket of an agent that was let go', async () => {
    const session = await scheduleSession(server.client(server.orgs[0].sandboxKey))
    const socket = await openLive(other.url, session.id, { token: session.agent })
    await socket.seen(1)
    const path = `/v1/sessions/${session.id}/config`
    expect(await letsIn(path, bearer(session.agent))).toBe(true)
    const scope = { orgId: server.orgs[0].orgId, environment: 'sandbox' } as const
    const sql = "SELECT credential_id AS id FROM session_credentials WHERE session_id = ? AND kind = 'agent'"
    const { id } = (await server.app.db.reader.get<{ id: string }>(sql, [session.id]))!
    await server.app.db.transact((tx) => endCredential({ ...server.app, tx, reader: tx, scope }, id))
    expect((await socket.closed).code).toBe(liveCloseCodes.credentialOver)
    await until(async () => !(await letsIn(path, bearer(session.agent))))
  })

  it('a session: the other process tells its agent', async () => {
    const scope = { orgId: server.orgs[0].orgId, environment: 'sandbox' } as const
    const session = await liveSession(server, scope, server.orgs[0].sandboxKey)
    const socket = await openLive(other.url, session.id, { token: session.agent })
    await socket.seen(1)
    await server.client(server.orgs[0].sandboxKey).call('sessions.end', { params: { id: session.id } })
    expect((await socket.seen(2))[1]).toEqual({ type: 'session_ended' })
    socket.socket.terminate()
  })

  it('the key of a session that was erased, which the other process held to read with', async () => {
    const { orgId, sandboxKey } = server.orgs[0]
    const session = await liveSession(server, { orgId, environment: 'sandbox' }, sandboxKey)
    const place = { orgId, sessionId: session.id, storeKey: 'objects/one' }
    const header = await other.app.sessionKeys.seal(place, 'AGE HEADER')
    expect(await other.app.sessionKeys.open(other.app.db.reader, place, header)).toBe('AGE HEADER')
    const api = server.client(sandboxKey)
    await api.call('sessions.end', { params: { id: session.id } })
    await api.call('sessions.erase', { params: { id: session.id } })
    await until(async () => {
      const opened = await other.app.sessionKeys.open(other.app.db.reader, place, header).catch(() => 'gone')
      return opened === 'gone'
    })
  })
})
