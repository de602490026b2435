import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeEach } from 'vitest'
import { haveAts } from '../../test-support/ats-double.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'
import { describeAts } from './ats.test-support.ts'

interface Patched {
  readonly path: string
  readonly key: string
  readonly body: string
}

/** Greenhouse as far as it is called: it takes a PATCH with a key, and answers with a status alone. */
const startPeer = async () => {
  const peer = { url: '', status: 200, patched: [] as Patched[], stop: () => server.close() }
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    const key = atob((request.headers.authorization ?? '').replace('Basic ', '')).replace(/:$/, '')
    if (request.method === 'PATCH') peer.patched.push({ path: request.url ?? '', key, body })
    response.writeHead(peer.status).end()
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  peer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return peer
}
type Peer = Awaited<ReturnType<typeof startPeer>>

let made = 0

const toolsOf = (t: Parameters<Parameters<typeof describeAts>[1]>[0], peer: () => Peer) => {
  const orgOf = (n: 0 | 1) => t.server.orgs[n].orgId
  // As Greenhouse's description has it: Basic with the key as user name, JSON, and answers without an envelope.
  const callWith =
    (key: string) =>
    async (method: 'GET' | 'POST', path: string, body?: object): Promise<{ status: number; body: never }> => {
      const headers = { authorization: `Basic ${btoa(`${key}:`)}`, 'content-type': 'application/json' }
      const url = `${t.server.url}/v1/integrations/assessments/${path}`
      const answer = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      return { status: answer.status, body: (await answer.json()) as never }
    }
  type Call = (
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ) => Promise<{ status: number; body: { partner_interview_id: string } }>
  const connect = async (settings: object = {}, n: 0 | 1 = 0) => {
    const headers = await portalCookie(t.server, 'owner', orgOf(n))
    const body = { provider: 'greenhouse_assessment' as const, label: 'Assessments', settings }
    const { data } = await t.server.client().call('portal.ats.connect', { headers, params: { orgId: orgOf(n) }, body })
    return { id: data.id, key: data.inboundSecret, call: callWith(data.inboundSecret) as Call }
  }
  /** What is sent for an applicant: a new one, or the `same` as the last time. */
  const wanted = (more: object = {}, whom: 'new' | 'same' = 'new') => {
    if (whom === 'new') made += 1
    return {
      partner_test_id: 'usual',
      candidate: {
        first_name: 'Asha',
        last_name: 'Verma',
        preferred_name: null,
        phone_number: '+1 555',
        email: `asha.gh${made}@example.org`,
        resume_url: 'https://grnhse.example.org/resume.pdf',
        greenhouse_profile_url: `https://app.greenhouse.io/people/${7000 + made}?application_id=${9000 + made}`,
      },
      sent_by: 'recruiter@example.org',
      url: `${peer().url}/tests/${made}`,
      ...more,
    }
  }
  const params = (configId: string) => ({ orgId: orgOf(0), configId })
  return {
    callWith,
    connect,
    wanted,
    begin: t.begin,
    end: t.end,
    change: t.change,
    replay: t.replay,
    get server() {
      return t.server
    },
    get peer() {
      return peer()
    },
    patched: () => peer().patched,
    status: (call: Call, id: string) => call('GET', `test-status?partner_interview_id=${id}`),
    session: async (id: string) => (await t.live().call('sessions.get', { params: { id } })).data,
    sessionsOfAll: async () => (await t.live().call('sessions.list', { query: {} })).data.items,
    log: async (id: string) => (await t.syncs(id)).items,
    policy: async (name: string) =>
      (await asMember(t.server, 'portal.policies.create', { params: { orgId: orgOf(0) }, body: { name, config: {} } }))
        .id,
    invitedTo: async (id: string) =>
      (
        await t.server.app.db.reader.all<{ email: string }>('SELECT email FROM invitations WHERE session_id = ?', [id])
      ).map(({ email }) => email),
    erase: (id: string) => t.live().call('sessions.erase', { params: { id } }),
    rotate: async (id: string) =>
      (await asMember(t.server, 'portal.ats.rotateSecret', { params: params(id) })).inboundSecret,
    disconnect: (id: string) => asMember(t.server, 'portal.ats.remove', { params: params(id) }),
    test: (id: string) => asMember(t.server, 'portal.ats.test', { params: params(id) }),
  }
}

/** What the tests of Greenhouse's assessments do, on both databases. */
export const describeAssessments = (title: string, suite: (t: ReturnType<typeof toolsOf>) => void): void =>
  describeAts(title, (t) => {
    let peer: Peer | undefined
    beforeEach(async () => {
      peer ??= await startPeer()
      Object.assign(peer, { status: 200, patched: [] })
      haveAts(t.server, { url: peer.url })
      await t.server.app.db.transact(async (tx) => {
        await tx.run(`UPDATE session_policies SET state = 'archived'`)
        await tx.run(`DELETE FROM credential_uses`)
      })
    })
    afterAll(() => peer?.stop())
    suite(toolsOf(t, () => peer as Peer))
  })
