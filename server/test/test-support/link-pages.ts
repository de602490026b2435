import type { Reply } from '@integrity/client/calls'
import { IntegrityError } from '@integrity/client/errors'
import type { Client } from '@integrity/client/every-endpoint'
import type { BodyInputOf, EndpointId, EndpointMap, ResultOf } from '@integrity/protocol'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { insertForOperator } from '../../src/domains/candidates/updates/signed-documents.store.ts'
import { manifestSeries } from '../../src/domains/candidates/updates/updates.service.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { readOutbox } from './mail.ts'
import { titleOn } from './pages.ts'
import { addMember, signIn } from './portal.ts'
import { aBuild, aManifest, newReleaseKey, signed } from './releases.ts'
import { accessibilityFaults, buildRoomClient, overflowOf, smallTargets } from './room-pages.ts'
import { type ServerOptions, startServer, type TestServer } from './server.ts'
import { newClientId, newPicture, sha256 } from './world.ts'

/** An organisation, its key, and an owner of it who signs in. */
export interface Team {
  readonly server: TestServer
  readonly orgId: string
  readonly api: Client
}

export const candidateAddress = 'asha.candidate@example.org'

interface Schedule {
  readonly startsAt: string
  readonly durationMinutes: number
  readonly timeZone: string
}

/** Berlin in winter: an hour ahead of UTC, whatever the day. */
export const appointment: Schedule = {
  startsAt: '2099-01-20T09:00:00.000Z',
  durationMinutes: 60,
  timeZone: 'Europe/Berlin',
}

/** One for which the application can be opened now, by the clock of the server. */
export const soon = ({ server }: Team): Schedule => ({
  ...appointment,
  startsAt: new Date(server.app.clock.now() + 600_000).toISOString(),
})

const cookies = new WeakMap<TestServer, Map<string, Promise<{ cookie: string }>>>()

/** The name of whoever invites. */
export const inviter = 'Meera Nair'

const namedOwner = async (server: TestServer, orgId: string): Promise<string> => {
  const { userId, email } = await addMember(server, 'owner', orgId)
  await server.app.db.transact((tx) => tx.run('UPDATE users SET name = ? WHERE user_id = ?', [inviter, userId]))
  return email
}

/** Of an owner who signed in; again after a test has moved the clock so far that the sign-in was over. */
const ownerOf = ({ server, orgId }: Team, anew: boolean): Promise<{ cookie: string }> => {
  const ofServer = cookies.get(server) ?? new Map<string, Promise<{ cookie: string }>>()
  cookies.set(server, ofServer)
  const known = anew ? undefined : ofServer.get(orgId)
  const made = known ?? namedOwner(server, orgId).then((email) => signIn(server, email))
  ofServer.set(orgId, made)
  return made.then(({ cookie }) => ({ cookie }))
}

/** An endpoint of the portal, called by an owner of the team. */
export const portal = async <Id extends Extract<EndpointId, `portal.${string}`>>(
  team: Team,
  id: Id,
  params: Readonly<Record<string, string>>,
  body?: object,
  query?: object,
): Promise<ResultOf<EndpointMap[Id]>> => {
  const client = team.server.client() as unknown as {
    call(id: Id, input: object): Promise<Reply<ResultOf<EndpointMap[Id]>>>
  }
  const input = { params: { orgId: team.orgId, ...params }, ...(body ? { body } : {}), ...(query ? { query } : {}) }
  const ask = async (anew: boolean) => (await client.call(id, { ...input, headers: await ownerOf(team, anew) })).data
  return ask(false).catch((error: unknown) => {
    if (error instanceof IntegrityError && error.status === 401) return ask(true)
    throw error
  })
}

const tokens = { invitation: /\.(ivt_\w+)/, requests: /\.(crq_\w+)/ } as const

/** The link in the newest message to a candidate of the session that holds one for this page. */
export const mailedLink = async (
  server: TestServer,
  sessionId: string,
  page: keyof typeof tokens,
): Promise<{ token: string; link: string }> => {
  await server.processAll()
  const mails = (await readOutbox(server)).filter(({ text }) => text.includes(sessionId) && tokens[page].test(text))
  const token = tokens[page].exec(mails.at(-1)?.text ?? '')?.[1]
  if (!token) throw new Error(`no message holds a link of ${sessionId} to the ${page}`)
  return { token, link: `${server.url}/${page}/#${sessionId}.${token}` }
}

export interface Invited {
  readonly sessionId: string
  readonly invitationId: string
  readonly agentJoinToken: string
  readonly token: string
  /** On this server, whatever address it believes to have. */
  readonly link: string
}

/** A session whose candidate got a message, and the link in it. */
export const invite = async (team: Team, fields: object = {}, session: object = {}): Promise<Invited> => {
  const created = (
    await team.api.call('sessions.create', {
      body: { candidateLabel: 'A. Candidate', schedule: appointment, ...session },
    })
  ).data
  const body = { email: candidateAddress, name: 'Asha', ...fields }
  const { id: invitationId } = await portal(team, 'portal.invitations.create', { id: created.id }, body)
  const { token, link } = await mailedLink(team.server, created.id, 'invitation')
  return { sessionId: created.id, invitationId, agentJoinToken: created.agentJoinToken, token, link }
}

/** A link to the requests of an invited session, as it is exchanged for the invitation. */
export const requestsLink = async ({ server }: Team, { sessionId, token }: Invited) => {
  const { data } = await server.client(token).call('candidateRequests.links.invitation')
  return { token: data.token, link: `${server.url}/requests/#${sessionId}.${data.token}` }
}

const nowIso = ({ server }: Team): string => new Date(server.app.clock.now()).toISOString()

/** The application has come with a code, and its candidate agrees to everything; so the interview begins. */
export const begin = async (team: Team, { sessionId: id, agentJoinToken }: Invited): Promise<void> => {
  const agent = team.server.client(agentJoinToken)
  const { consentDocument } = (await agent.call('agent.sessions.config', { params: { id } })).data
  const { version, hash, lanes } = consentDocument
  const granted = Object.fromEntries(lanes.map(({ lane }) => [lane, true]))
  const consent = { version, locale: 'en', documentHash: hash, acceptedAt: nowIso(team), lanes: granted }
  await agent.call('agent.sessions.register', { body: { consent } })
}

/** Two pictures of a display of a session that has begun. */
export const capture = async (team: Team, { sessionId: id, agentJoinToken }: Invited): Promise<void> => {
  for (let n = 0; n < 2; n++) {
    const bytes = await newPicture()
    const still = { clientId: newClientId(), contentType: 'image/webp', displayId: 'd1' } as const
    const about = { ...still, capturedAt: nowIso(team), sha256: sha256(bytes), data: bytes.toString('base64') }
    await team.server.client(agentJoinToken).call('agent.screenshots.upload', { params: { id }, body: about })
  }
}

/** An interview that has taken place: two pictures are kept of it. */
export const interviewed = async (team: Team, fields: object = {}): Promise<Invited> => {
  const invited = await invite(team, fields)
  await begin(team, invited)
  await capture(team, invited)
  await team.api.call('sessions.end', { params: { id: invited.sessionId } })
  return invited
}

/** Half an hour of the sandbox, played in seconds: pictures, sound, a transcript. The key of the team is one of the sandbox. */
export const playedInterview = async (
  team: Team,
  fields: object = {},
  session: object = {},
  scenario: BodyInputOf<EndpointMap['sandbox.simulate']>['scenario'] = 'nothing_goes_wrong',
): Promise<Invited> => {
  const invited = await invite(team, fields, session)
  const params = { id: invited.sessionId }
  await team.api.call('sandbox.simulate', { params, body: { scenario, timeScale: 600 } })
  for (let tries = 0; tries < 100_000; tries++) {
    await team.server.processAll()
    const { status, failure } = (await team.api.call('sandbox.simulation', { params })).data
    if (status === 'done') return invited
    if (status !== 'running') throw new Error(`the simulation has failed: ${failure}`)
  }
  throw new Error('the simulation does not end')
}

/** The operator offers these builds from now on, whatever was offered before. */
export const offerBuilds = async ({ server }: Team, platforms: readonly ('linux' | 'win32' | 'darwin')[]) => {
  const key = newReleaseKey()
  const now = server.app.clock.now()
  const builds = platforms.map((platform) => aBuild(server, '1.2.3', platform))
  const span = { issuedAt: new Date(now).toISOString(), expiresAt: new Date(now + 86_400_000).toISOString() }
  const content = aManifest(server, { ...span, sequence: now, builds })
  const row = {
    ...signed(content, key),
    series: manifestSeries('desktop_agent', 'stable'),
    sequence: content.sequence,
    keyId: key.keyId,
    issuedAt: now,
    expiresAt: now + 86_400_000,
    publishedAt: now,
  }
  await server.app.db.transact((tx) => insertForOperator(tx, row))
}

/**
 * Remembers the addresses of the application that a page opens, instead of letting the browser ask about each: nobody is
 * there to answer, and until then the page gets no press.
 */
export const keepApplicationLinks = async (page: Page): Promise<() => Promise<string[]>> => {
  await page.addInitScript(`window.applicationLinks = []
    addEventListener('click', (event) => {
      const link = event.target.closest?.('a[href^="integrity-agent:"]')
      if (!link) return
      event.preventDefault()
      window.applicationLinks.push(link.href)
    }, true)`)
  return () => page.evaluate<string[]>('window.applicationLinks')
}

/** A server with the built pages, by the browser's clock unless told otherwise, and the organisation that invites. */
export const startInviting = async (
  now: () => number = Date.now,
  env: Readonly<Record<string, string>> = {},
  overrides: ServerOptions['overrides'] = {},
): Promise<Team> => {
  buildRoomClient()
  const server = await startServer({ env, overrides: { clock: { ...systemClock, now }, ...overrides } })
  return { server, orgId: server.orgs[0].orgId, api: server.client(server.orgs[0].liveKey) }
}

/** On the page with this title: nothing axe objects to, and nothing to scroll sideways. */
export const onPage = async (page: Page, text: string): Promise<void> => {
  await titleOn(page, text)
  expect(await accessibilityFaults(page), text).toEqual([])
  expect(await overflowOf(page), text).toBeLessThanOrEqual(0)
  expect(await smallTargets(page), text).toEqual([])
}
