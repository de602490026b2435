import { type BodyOf, type EndpointMap, lineOf, notFound, ServiceError, usualTest } from '@integrity/protocol'
import type { By, Needs, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { pageFor } from '../../../kernel/page-links.ts'
import { iso } from '../../../kernel/time.ts'
import { readCallback, readProfile } from '../../../platform/ats/greenhouse-assessment.ts'
import { newestRevision } from '../../interviews/reviews/revisions.service.ts'
import { activePolicies } from '../../interviews/session-policies/session-policies.service.ts'
import { getShownSession } from '../../interviews/sessions/sessions.read.service.ts'
import { lockPeople } from '../../organisation/people/guards.service.ts'
import type { AtsSettings, LinkedSession } from './ats.types.ts'
import { getConnected } from './connecting.service.ts'
import { seal } from './providers.service.ts'
import { openSessionOf, provision } from './provisioning.service.ts'
import { changeUrl, findLink, insertSync, markEnded } from './syncs.store.ts'

type Caller = By<ActorOf<'assessment'>>
type Reading = Caller & Needs<'config' | 'reader' | 'scope'>
type Writing = WriteCall<ActorOf<'assessment'>> &
  Needs<'config' | 'credentials' | 'keptBytes' | 'keyring' | 'reader' | 'requestId'>

/** The active policies, each as a test; of an organisation without any, one test with the usual settings. */
export const assessmentTestsOf = async (call: Reading) => {
  const policies = await activePolicies(call, call.actor.orgId)
  if (policies.length === 0)
    return [{ partner_test_id: usualTest, partner_test_name: 'Interview with the usual settings' }]
  return policies.map(({ id, name }) => ({ partner_test_id: id, partner_test_name: name }))
}

/** The policy of a test; null for the usual settings. Another organisation's is none. */
const policyOfTest = async (call: Writing, testId: string): Promise<string | null> => {
  if (testId === usualTest) return null
  const policies = await activePolicies({ reader: call.tx }, call.actor.orgId)
  if (policies.some(({ id }) => id === testId)) return testId
  throw notFound('test')
}

type Sent = BodyOf<EndpointMap['assessments.sendTest']>

const nameOf = ({ preferred_name: preferred, first_name: first, last_name: last }: Sent['candidate']): string | null =>
  [preferred || first, last].filter(Boolean).join(' ') || null

/** The session of a test: the open one of the same application and test, or a new one with an invitation. */
export const sendAssessment = async (call: Writing, body: Sent): Promise<string> => {
  const { tx, actor } = call
  const { orgId, id: connectionId } = actor
  const inside = { ...call, reader: tx }
  const { applicationId, candidateId } = readProfile(body.candidate.greenhouse_profile_url)
  const url = readCallback(body.url, call.config.ats)
  // Twice at once is one session: whoever comes second sees the first one's.
  await lockPeople(call, orgId)
  const row = await getConnected(inside, { orgId, id: connectionId })
  if (row.status === 'paused') throw new ServiceError('conflict', 'the organisation has paused this connection')
  const testId = body.partner_test_id
  const open = await openSessionOf(inside, { connectionId, applicationId, testId })
  const wrappedUrl = seal(call, { what: 'callback', orgId, id: connectionId, value: url })
  if (open) {
    await changeUrl(tx, orgId, open.sessionId, wrappedUrl)
    return open.sessionId
  }
  const policyId = await policyOfTest(call, testId)
  const { sessionId } = await provision(inside, {
    row,
    application: { applicationId, candidateId, name: nameOf(body.candidate), email: body.candidate.email },
    policyId,
    test: { id: testId, wrappedUrl },
  })
  return sessionId
}

/** The session of a test of this connection. A session that was erased has no link any more. */
const linkOfTest = async (call: Reading, id: string): Promise<LinkedSession> => {
  const link = await findLink(call.reader, call.actor.orgId, id)
  if (!link?.test || link.connectionId !== call.actor.id) throw notFound('test')
  return link
}

/** Whether it is complete only with a signed report: where nobody is told of the end, and of the report somebody is. */
const waitsForReport = ({ push }: AtsSettings): boolean => push.includes('report') && !push.includes('ended')

const statusOf = (
  { state, startedAt }: { readonly state: string; readonly startedAt: number | null },
  isReady: boolean,
) => {
  if (state === 'scheduled') return 'invited'
  if (state !== 'ended') return 'in_progress'
  if (startedAt === null) return 'not_held'
  return isReady ? 'complete' : 'in_review'
}

/** How far it is, and where the desk shows it: nothing of what was observed. */
export const readAssessment = async (call: Reading, id: string) => {
  const { sessionId, connectionId } = await linkOfTest(call, id)
  const { settings } = await getConnected(call, { orgId: call.actor.orgId, id: connectionId })
  const session = await getShownSession(call, sessionId)
  const signed = await newestRevision(call, sessionId)
  const status = statusOf(session, signed !== undefined || !waitsForReport(settings))
  const subject = { kind: signed ? 'report' : 'session', id: sessionId } as const
  return {
    partner_status: status,
    ...(status === 'complete' && { partner_profile_url: pageFor(call, subject) }),
    metadata: {
      ...(session.endedAt !== null && { interview_ended_at: iso(session.endedAt) }),
      ...(signed && { report_signed_at: iso(signed.signedOffAt), report_revision: signed.revision }),
    },
  } as const
}

/** Longest that is kept of what Greenhouse says. */
const maxWords = 500

/** What Greenhouse could not use, as a row in the log of the connection, without addresses of people. */
export const takeFault = async (call: Writing, body: BodyOf<EndpointMap['assessments.responseError']>) => {
  const { tx, actor } = call
  const { orgId, id: connectionId } = actor
  const now = call.clock.now()
  const id = call.newId('syn')
  const named = body.partner_interview_id
  const link = named ? await findLink(tx, orgId, named) : undefined
  const words = lineOf(body.errors.join('; ').replaceAll(/\S*@\S*/g, '…'), maxWords) ?? ''
  const sync = { id, connectionId, direction: 'inbound', what: 'response_error' } as const
  await insertSync(tx, orgId, {
    ...sync,
    status: 'pending',
    applicationId: null,
    wrappedNews: null,
    replayOf: null,
    ref: id,
    sessionId: link?.connectionId === connectionId ? link.sessionId : null,
    createdAt: now,
    nextAttemptAt: null,
  })
  const problem = `Greenhouse could not use the answer to ${body.api_call}: ${words || 'it does not say why'}`
  await markEnded(tx, orgId, sync, { status: 'failed', problem, now })
  await call.audit.append(
    { tx, scope: { orgId }, actor },
    { action: 'ats.answer_refused', target: id, payload: { call: body.api_call } },
  )
}
