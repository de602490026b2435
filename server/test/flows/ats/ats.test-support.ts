import type { StageProvider } from '@integrity/protocol'
import { secretPrefixes } from '@integrity/protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { insertCredential } from '../../../src/domains/interviews/sessions/joining/credentials.store.ts'
import { newSecret } from '../../../src/platform/crypto/secrets.ts'
import { type NewsOptions, type SentNews, stageNews } from '../../test-support/ats.ts'
import { type AtsDouble, haveAts, startAtsDouble } from '../../test-support/ats-double.ts'
import { type TheirApplicant, theirCredentials } from '../../test-support/ats-systems.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { register } from '../../test-support/world.ts'
import { asMember } from '../candidate-requests/candidate-requests.test-support.ts'

export const trigger = 'Technical interview'
export const minute = 60_000
export const hour = 60 * minute

/** What the tests of applicant tracking do, on both databases, with four systems that are doubles. */
export const describeAts = (title: string, suite: (t: ReturnType<typeof toolsOf>) => void): void => {
  for (const engine of everyEngine())
    describe(`${title} (${engine})`, () => {
      let server: TestServer
      let double: AtsDouble
      beforeAll(async () => {
        double = await startAtsDouble()
        server = await startServer({ engine })
        haveAts(server, double)
      })
      beforeEach(async () => {
        await server.processAll()
        double.fault = undefined
        double.reshape = undefined
        double.people.clear()
        for (const list of [double.notes, double.asked, double.broken]) list.length = 0
        await server.app.db.transact(async (tx) => {
          for (const table of ['ats_connections', 'ats_syncs', 'ats_sync_counts', 'ats_inbound_keys', 'ats_sessions'])
            await tx.run(`DELETE FROM ${table}`)
        })
      })
      afterEach(() => expect(double.broken).toEqual([]))
      afterAll(async () => {
        await server.stop()
        await double.stop()
      })
      suite(
        toolsOf(
          () => server,
          () => double,
          engine,
        ),
      )
    })
}

const toolsOf = (server: () => TestServer, double: () => AtsDouble, engine: string) => {
  const params = () => ({ orgId: server().orgs[0].orgId })
  type Body = Parameters<typeof asMember<'portal.ats.connect'>>[2]['body']
  const connectWith = (body: object) =>
    asMember(server(), 'portal.ats.connect', { params: params(), body: body as Body })
  const connect = (provider: StageProvider = 'greenhouse', settings: object = {}, more: object = {}) =>
    connectWith({
      provider,
      label: `Hiring by ${provider}`,
      credentials: { ...theirCredentials[provider], ...more },
      settings: { triggerStages: [trigger], ...settings },
    })
  const change = (configId: string, body: object) =>
    asMember(server(), 'portal.ats.update', { params: { ...params(), configId }, body })
  const list = async () => (await asMember(server(), 'portal.ats.list', { params: params() })).items
  const syncs = async (configId: string, query: object = {}) =>
    await asMember(server(), 'portal.ats.sync', { params: { ...params(), configId }, query })
  const replay = (configId: string, syncId: string) =>
    asMember(server(), 'portal.ats.replay', { params: { ...params(), configId, syncId } })
  const send = async ({ id, orgId }: { id: string; orgId?: string }, { payload, headers }: SentNews) => {
    const url = `${server().url}/v1/integrations/ats/${orgId ?? params().orgId}/${id}`
    return (await fetch(url, { method: 'POST', headers, body: payload })).status
  }
  type Connected = Awaited<ReturnType<typeof connect>>
  const newsOf = (one: Connected, person: TheirApplicant, more: Partial<NewsOptions> = {}) =>
    stageNews[one.provider as StageProvider](person, { now: server().clock.now(), secret: one.inboundSecret, ...more })
  const enter = async (one: Connected, person: TheirApplicant, more: Partial<NewsOptions> = {}) => {
    expect(await send(one, newsOf(one, person, more))).toBe(200)
    await server().processAll()
  }
  const live = () => server().client(server().orgs[0].liveKey)
  const sessionsOf = async (person: TheirApplicant, provider: StageProvider = 'greenhouse') =>
    (await live().call('sessions.list', { query: { externalId: `${provider}:${person.applicationId}` } })).data.items
  /** The invited candidate's agent has come. */
  const begin = async (sessionId: string) => {
    const { app } = server()
    const secret = newSecret(secretPrefixes.agent_join)
    const scope = { ...params(), environment: 'live' } as const
    const credential = {
      id: app.newId('crd'),
      sessionId,
      kind: 'agent',
      tokenHash: secret.hash,
      label: null,
    } as const
    await app.db.transact((tx) => insertCredential(tx, scope, credential, app.clock.now()))
    await register(server(), { id: sessionId, agent: secret.token })
  }
  const end = (id: string) => live().call('sessions.end', { params: { id } })
  return {
    get server() {
      return server()
    },
    get double() {
      return double()
    },
    engine,
    params,
    connectWith,
    connect,
    change,
    list,
    syncs,
    replay,
    send,
    newsOf,
    enter,
    live,
    sessionsOf,
    begin,
    end,
  }
}
