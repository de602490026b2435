import type { InputOf } from '@integrity/client/calls'
import type { EveryEndpoint } from '@integrity/client/contract-types'
import type { IntegrityError } from '@integrity/client/errors'
import type { EndpointId } from '@integrity/protocol'
import { expect } from 'vitest'
import type { Environment, Scope } from '../../../src/kernel/identity/scope.ts'
import { type RequestKind, requestLink, wordsFor } from '../../test-support/candidate-requests.ts'
import { type ReadMail, readOutbox } from '../../test-support/mail.ts'
import { portalCookie } from '../../test-support/portal.ts'
import type { TestServer } from '../../test-support/server.ts'
import { scheduleSession } from '../../test-support/world.ts'

export const hour = 3_600_000
export const day = 24 * hour
export const invitedAddress = 'asha.candidate@example.org'

export const marker = 'PURPLE-HIPPOPOTAMUS'
export const hostile = `${marker} <script>alert(1)</script>\r\nBcc: everybody@example.com\r\n\r\n'; DROP TABLE candidate_requests; -- \u202e🦛`

export interface Interview {
  readonly scope: Scope
  readonly sessionId: string
  readonly agent: string
  /** With the organisation's key. */
  readonly key: string
}

/** A scheduled session of the first organisation, with a name and a handle that must show up in no message. */
export const newInterview = async (server: TestServer, environment: Environment = 'sandbox'): Promise<Interview> => {
  const { orgId, liveKey, sandboxKey } = server.orgs[0]
  const key = environment === 'live' ? liveKey : sandboxKey
  const body = { externalId: 'REQ-2041', candidateLabel: 'Asha Verma' }
  const { id, agent } = await scheduleSession(server.client(key), body)
  return { scope: { orgId, environment }, sessionId: id, agent, key }
}

type PortalId = Extract<EndpointId, `portal.${string}`>

/** A call as a member of the first organisation. */
export const asMember = async <Id extends PortalId>(
  server: TestServer,
  id: Id,
  input: InputOf<EveryEndpoint[Id]>,
  role: Parameters<typeof portalCookie>[1] = 'owner',
): Promise<EveryEndpoint[Id]['result']> => {
  const headers = await portalCookie(server, role)
  return (await server.client().call(id, { ...input, headers } as never)).data
}

type Verb = 'get' | 'acknowledge' | 'respond' | 'approve' | 'decline' | 'complete'

/** One verb on a request, as an owner of the first organisation. */
export const verb = (server: TestServer, name: Verb, requestId: string, body?: { text: string }) =>
  asMember(
    server,
    `portal.candidateRequests.${name}` as 'portal.candidateRequests.respond',
    {
      params: { orgId: server.orgs[0].orgId, requestId },
      ...(name === 'get' ? {} : { body }),
    } as InputOf<EveryEndpoint['portal.candidateRequests.respond']>,
  )

/** Sends a request by a new link of the session. */
export const submit = async (
  server: TestServer,
  { scope, sessionId }: Interview,
  kind: RequestKind,
  more: { text?: string; replyTo?: string } = {},
) => {
  const token = await requestLink(server, scope, sessionId)
  const text = more.text ?? wordsFor(kind)
  const body = { kind, ...(text === undefined ? {} : { text }), ...(more.replyTo && { replyTo: more.replyTo }) }
  const answer = await server.client(token).call('candidateRequests.submit', { body })
  return { ...answer.data, statusCode: answer.status, token }
}

/** What is remembered of a session in the audit chain, oldest first. */
export const trail = async (server: TestServer, { scope, sessionId }: Interview): Promise<string[]> => {
  const rows = await server.app.db.reader.all<{ line: string }>(
    `SELECT action || ' ' || actor_kind AS line FROM audit_log WHERE org_id = ? AND session_id = ? ORDER BY seq`,
    [scope.orgId, sessionId],
  )
  return rows.map(({ line }) => line).filter((line) => line.startsWith('candidate_request'))
}

/** What a refused call says; fails when the call was not refused. */
export const refused = async (call: Promise<unknown>) => {
  try {
    await call
  } catch (error) {
    const { status, code, message, extra } = error as IntegrityError
    const { reason } = extra
    return { status, code, message, ...(reason === undefined ? {} : { reason }) }
  }
  throw new Error('the call was not refused')
}

/** The messages that the work leads to, once all that was due before it has been sent. */
export const mailsOf = async (server: TestServer, work: () => Promise<unknown>): Promise<ReadMail[]> => {
  await server.processAll()
  const before = (await readOutbox(server)).length
  await work()
  await server.processAll()
  return (await readOutbox(server)).slice(before)
}

/** What the link of a session shows to its candidate. */
export const pageOf = async (server: TestServer, { scope, sessionId }: Interview) =>
  (await server.client(await requestLink(server, scope, sessionId)).call('candidateRequests.view')).data

/** No job, event, audit row and no line of the log holds what was written in the tests before. */
export const expectWordsNowhereElse = async (server: TestServer): Promise<void> => {
  await server.processAll()
  const { reader } = server.app.db
  const texts = [
    ...(await reader.all<{ text: string }>('SELECT payload AS text FROM jobs')),
    ...(await reader.all<{ text: string }>('SELECT envelope AS text FROM events')),
    ...(await reader.all<{ text: string }>('SELECT payload AS text FROM audit_payloads')),
  ].map(({ text }) => text)
  expect(texts.length).toBeGreaterThan(50)
  for (const text of [...texts, ...server.logLines]) {
    expect(text).not.toContain(marker)
    expect(text).not.toContain('crq_')
    expect(text).not.toContain('own@example.org')
  }
}
