import type { EndpointMap, ResultOf } from '@integrity/protocol'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import type { Engine } from '../../src/platform/db/dialect.ts'
import { everyEngine } from './engines.ts'
import { inDays } from './invitations.ts'
import { type ReadMail, readOutbox } from './mail.ts'
import { portalCookie } from './portal.ts'
import { startServer, type TestServer } from './server.ts'

type Scheduling = ResultOf<EndpointMap['portal.scheduling.get']>
type Invitation = ResultOf<EndpointMap['portal.invitations.create']>
type Schedule = Parameters<InvitationBench['set']>[1]

/** A server, its first organisation's owner, and what tests of appointments and invitations do with them. */
export interface InvitationBench {
  readonly server: TestServer
  readonly engine: Engine
  /** A new session of the live environment, or of the sandbox, with an appointment in three days unless told otherwise. */
  session(fields?: object, environment?: 'live' | 'sandbox'): Promise<string>
  get(sessionId: string): Promise<Scheduling>
  set(sessionId: string, schedule: { startsAt: string; durationMinutes: number; timeZone: string }): Promise<Scheduling>
  cancel(sessionId: string): Promise<Scheduling>
  invite(sessionId: string, fields?: object): Promise<Invitation>
  resend(sessionId: string, invitationId: string): Promise<Invitation>
  revoke(sessionId: string, invitationId: string): Promise<Invitation>
  /** Runs what is due and answers the messages since the last look. */
  mails(): Promise<ReadMail[]>
  /** The same without those that take an appointment out of a calendar, whose invitation or session has ended. */
  letters(): Promise<ReadMail[]>
  /** An invited session, and the token out of the message. */
  invited(fields?: object): Promise<{ sessionId: string; invitationId: string; token: string }>
}

/** The token of the link in a message to a candidate; empty where there is none. */
export const tokenIn = (mail: ReadMail | undefined): string => /\.(ivt_\w+)/.exec(mail?.text ?? '')?.[1] ?? ''

/** By a sentence of theirs, in both languages. */
const withdrawals = /will not take place as planned|तय समय पर नहीं होगा/

const benchOf = (state: { server: TestServer; seen: Set<string> }, engine: Engine): InvitationBench => {
  const path = async (id: string) => ({
    headers: await portalCookie(state.server),
    params: { orgId: state.server.orgs[0].orgId, id },
  })
  const ofInvitation = async (id: string, invitationId: string) => {
    const { headers, params } = await path(id)
    return { headers, params: { ...params, invitationId } }
  }
  const api = () => state.server.client()
  /** One address is all these tests': what an hour has of messages to it is another one's. */
  const forgetMails = () => state.server.app.db.transact((tx) => tx.run('DELETE FROM access_attempts'))
  const bench: InvitationBench = {
    get server() {
      return state.server
    },
    engine,
    async session(fields = { schedule: inDays(state.server, 3) }, environment = 'live') {
      const { liveKey, sandboxKey } = state.server.orgs[0]
      const client = state.server.client(environment === 'live' ? liveKey : sandboxKey)
      return (await client.call('sessions.create', { body: fields })).data.id
    },
    get: async (id) => (await api().call('portal.scheduling.get', await path(id))).data,
    set: async (id, body: Schedule) => {
      await forgetMails()
      return (await api().call('portal.scheduling.set', { ...(await path(id)), body })).data
    },
    cancel: async (id) => (await api().call('portal.scheduling.cancel', await path(id))).data,
    invite: async (id, fields = {}) => {
      await forgetMails()
      const body = { email: 'candidate@example.org', name: 'Asha Rao', ...fields }
      return (await api().call('portal.invitations.create', { ...(await path(id)), body })).data
    },
    resend: async (id, ivn) => {
      await forgetMails()
      return (await api().call('portal.invitations.resend', await ofInvitation(id, ivn))).data
    },
    revoke: async (id, ivn) => (await api().call('portal.invitations.revoke', await ofInvitation(id, ivn))).data,
    async mails() {
      await state.server.processAll()
      const fresh = (await readOutbox(state.server)).filter(({ id }) => !state.seen.has(id))
      for (const { id } of fresh) state.seen.add(id)
      return fresh
    },
    letters: async () => (await bench.mails()).filter(({ text }) => !withdrawals.test(text)),
    async invited(fields) {
      const sessionId = await bench.session()
      const { id } = await bench.invite(sessionId, fields)
      const sent = (await bench.mails()).filter(({ text }) => text.includes(sessionId))
      return { sessionId, invitationId: id, token: tokenIn(sent.at(-1)) }
    },
  }
  return bench
}

/** Runs the suite on each engine, with one server for all its tests. */
export const describeInvitations = (title: string, suite: (bench: InvitationBench) => void): void => {
  for (const engine of everyEngine())
    describe(`${title} (${engine})`, () => {
      const state = { seen: new Set<string>() } as { server: TestServer; seen: Set<string> }
      beforeAll(async () => {
        state.server = await startServer({ engine })
      })
      const bench = benchOf(state, engine)
      // What a test before this one did not wait for is not this one's.
      beforeEach(async () => {
        await bench.mails()
      })
      afterAll(() => state.server.stop())
      suite(bench)
    })
}
