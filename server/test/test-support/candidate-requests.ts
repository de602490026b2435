import type { wishKinds } from '@integrity/protocol'
import type { LinkOrigin } from '../../src/domains/candidates/candidate-requests/candidate-requests.store.ts'
import { insertInvitation } from '../../src/domains/candidates/invitations/invitations.store.ts'
import { issueLink } from '../../src/domains/candidates/links/links.service.ts'
import type { Scope } from '../../src/kernel/identity/scope.ts'
import type { TestServer } from './server.ts'
import { scheduleSession, type World } from './world.ts'

export type RequestKind = (typeof wishKinds)[number]

const day = 86_400_000

/** The token of a link to the requests of a session; an earlier one ends. */
export const requestLink = async (
  { app }: TestServer,
  scope: Scope,
  sessionId: string,
  origin: LinkOrigin = 'invitation',
): Promise<string> => {
  const wanted = { kind: 'candidate_request', sessionId, subjectId: sessionId, origin } as const
  const expiresAt = app.clock.now() + 7 * day
  return (await app.db.transact((tx) => issueLink({ ...app, tx, reader: tx, scope }, { ...wanted, expiresAt }))).token
}

/** The token of an invitation's link, without an invitation. */
export const invitationLink = async ({ app }: TestServer, scope: Scope, sessionId: string): Promise<string> => {
  const wanted = { kind: 'invitation', sessionId, subjectId: app.newId('ivn') } as const
  const expiresAt = app.clock.now() + 7 * day
  return (await app.db.transact((tx) => issueLink({ ...app, tx, reader: tx, scope }, { ...wanted, expiresAt }))).token
}

/** Somebody was invited to a session, long ago and without a message now. */
export const invited = async (
  { app }: TestServer,
  scope: Scope,
  sessionId: string,
  email: string,
  locale = 'en',
): Promise<string> => {
  const id = app.newId('ivn')
  const now = app.clock.now()
  const invitedBy = { kind: 'user', id: 'usr_none', label: null }
  const row = { id, sessionId, email, name: null, locale, message: null, invitedBy, createdAt: now, expiresAt: now }
  await app.db.transact((tx) => insertInvitation(tx, scope, row))
  return id
}

export const wordsFor = (kind: RequestKind): string | undefined =>
  kind === 'context_statement' ? 'My neighbour mowed his lawn at eleven.' : undefined

/** A request of a session; its link is of the invitation. */
export const sentRequest = async (
  server: TestServer,
  scope: Scope,
  sessionId: string,
  kind: RequestKind,
): Promise<{ id: string; token: string }> => {
  const token = await requestLink(server, scope, sessionId)
  const text = wordsFor(kind)
  const body = { kind, ...(text === undefined ? {} : { text }) }
  const { data } = await server.client(token).call('candidateRequests.submit', { body })
  return { id: data.id, token }
}

/** A request on a new session of the world. */
export const freshRequest = async ({ server, scope, key }: World, kind: RequestKind) => {
  const { id: sessionId } = await scheduleSession(server.client(key))
  return { sessionId, ...(await sentRequest(server, scope, sessionId, kind)) }
}

const listed = new WeakMap<TestServer, Map<string, Promise<void>>>()
const threeRequests = async (server: TestServer, orgId: string, liveKey: string): Promise<void> => {
  const { id } = await scheduleSession(server.client(liveKey))
  for (const kind of ['context_statement', 'access', 'erasure'] as const)
    await sentRequest(server, { orgId, environment: 'live' }, id, kind)
}
/** The list shows the live environment unless it is asked for the other: three open requests there, once for each organisation. */
export const withLiveRequests = async ({ server, scope }: World): Promise<void> => {
  const { orgId } = scope
  const ofServer = listed.get(server) ?? new Map<string, Promise<void>>()
  listed.set(server, ofServer)
  const liveKey = server.orgs.find((org) => org.orgId === orgId)?.liveKey ?? ''
  const made = ofServer.get(orgId) ?? threeRequests(server, orgId, liveKey)
  ofServer.set(orgId, made)
  await made
}
