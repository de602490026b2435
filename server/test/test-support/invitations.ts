import type { Client } from '@integrity/client/every-endpoint'
import { findInvitation } from '../../src/domains/candidates/invitations/invitations.store.ts'
import { issueLink } from '../../src/domains/candidates/links/links.service.ts'
import type { Example } from './examples/example.ts'
import { portalCookie } from './portal.ts'
import type { TestServer } from './server.ts'
import { scheduleSession, type World } from './world.ts'

const day = 86_400_000

/** An appointment so many days ahead of the tests' clock. */
export const inDays = ({ clock }: TestServer, days: number) => ({
  startsAt: new Date(clock.now() + days * day).toISOString(),
  durationMinutes: 60,
  timeZone: 'Europe/Berlin',
})

/** A session with an appointment and a live invitation. */
export interface InvitedSession {
  readonly sessionId: string
  readonly invitationId: string
  /** Of the newest link; the one in the message was replaced by it. */
  readonly token: string
}

/** A link to an invitation, without a message. */
const freshLink = ({ app }: TestServer, { scope }: World, sessionId: string, subjectId: string): Promise<string> =>
  app.db.transact(async (tx) => {
    const row = await findInvitation(tx, scope, subjectId)
    const wanted = { kind: 'invitation', sessionId, subjectId, expiresAt: row?.expiresAt ?? 0 } as const
    return (await issueLink({ ...app, tx, reader: tx, scope }, wanted)).token
  })

/** The typed client of a member who signed in. */
export const asMember = async (server: TestServer, orgId: string): Promise<{ headers: { cookie: string } }> => ({
  headers: await portalCookie(server, 'owner', orgId),
})

const sessionOf = async ({ server, key }: World, api: Client = server.client(key)): Promise<string> =>
  (await scheduleSession(api, { schedule: inDays(server, 3) })).id

const sent = new WeakMap<TestServer, number>()
/** Another address after some invitations: one mailbox is not sent more of them in an hour. */
const candidateOf = (server: TestServer): string => {
  const before = sent.get(server) ?? 0
  sent.set(server, before + 1)
  return before < 10 ? 'candidate@example.org' : `candidate-${Math.floor(before / 10)}@example.org`
}

export const invitedSession = async (world: World): Promise<InvitedSession> => {
  const { server, scope } = world
  const sessionId = await sessionOf(world)
  const { data } = await server.client().call('portal.invitations.create', {
    ...(await asMember(server, scope.orgId)),
    params: { orgId: scope.orgId, id: sessionId },
    body: { email: candidateOf(server), name: 'Candidate 1' },
  })
  return { sessionId, invitationId: data.id, token: await freshLink(server, world, sessionId, data.id) }
}

const ofSession = async (world: World, id: string) => ({
  ...(await asMember(world.server, world.scope.orgId)),
  params: { orgId: world.scope.orgId, id },
})
const ofScheduled = async (world: World) => ofSession(world, await sessionOf(world))
const ofInvited = async (world: World) => {
  const { sessionId, invitationId } = await invitedSession(world)
  const { headers, params } = await ofSession(world, sessionId)
  return { headers, params: { ...params, invitationId } }
}
const byLink = async (world: World) => {
  const { token } = await invitedSession(world)
  return { headers: { authorization: `Bearer ${token}` } }
}

/** Valid requests for the endpoints of scheduling and invitations. */
export const invitationExamples = {
  'portal.scheduling.get': async (world) => {
    const { sessionId } = await invitedSession(world)
    return ofSession(world, sessionId)
  },
  'portal.scheduling.set': async (world) => ({ ...(await ofScheduled(world)), json: inDays(world.server, 5) }),
  'portal.scheduling.cancel': async (world) => ({ ...(await ofScheduled(world)), json: {} }),
  'portal.scheduling.calendar': ofScheduled,
  'portal.invitations.create': async (world) => ({
    ...(await ofScheduled(world)),
    json: { email: candidateOf(world.server), name: 'Candidate 1', locale: 'hi-IN', message: 'See you soon.' },
  }),
  'portal.invitations.letter': async (world) => ({
    ...(await asMember(world.server, world.scope.orgId)),
    params: { orgId: world.scope.orgId },
  }),
  'portal.invitations.preview': async (world) => ({
    ...(await asMember(world.server, world.scope.orgId)),
    params: { orgId: world.scope.orgId },
    json: { name: 'Candidate 1', locale: 'hi', message: 'See you soon.', schedule: inDays(world.server, 5) },
  }),
  'portal.invitations.resend': async (world) => ({ ...(await ofInvited(world)), json: {} }),
  'portal.invitations.revoke': async (world) => ({ ...(await ofInvited(world)), json: {} }),
  'invitations.inspect': async (world) => ({ ...(await byLink(world)), json: { locale: 'hi-IN' } }),
  'invitations.calendar': async (world) => ({ ...(await byLink(world)), json: {} }),
  'invitations.ticket': async (world) => ({ ...(await byLink(world)), json: {} }),
  'invitations.readiness': async (world) => ({ ...(await byLink(world)), json: {} }),
  'invitations.decline': async (world) => ({ ...(await byLink(world)), json: { reason: 'Another offer.' } }),
  'invitations.contact': async (world) => ({
    ...(await byLink(world)),
    json: { topic: 'question', text: 'May I use a pen?', replyTo: 'other@example.org' },
  }),
} satisfies Readonly<Record<string, (world: World) => Promise<Example>>>
