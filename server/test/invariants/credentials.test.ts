import {
  type AuthRule,
  builtInRoles,
  type CredentialKind,
  type EndpointId,
  type LinkKind,
  neededWords,
  permissions,
  refreshGraceSeconds,
  scopes,
} from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginSignIn } from '../../src/domains/access/auth/sign-ins/sign-ins.service.ts'
import { mintApiKey } from '../../src/domains/organisation/api-keys/api-keys.service.ts'
import { system } from '../../src/kernel/identity/actor.ts'
import { hashSecret } from '../../src/platform/crypto/secrets.ts'
import { sign } from '../../src/platform/crypto/signed-token.ts'
import { freshRequest } from '../test-support/candidate-requests.ts'
import { casesInTurn, everyEngine } from '../test-support/engines.ts'
import { type Example, makeExample, specOf } from '../test-support/examples.ts'
import { toldSession } from '../test-support/interviewers.ts'
import { invitedSession } from '../test-support/invitations.ts'
import { addMember, addPerson, cookieHeader, deactivate, portalCookie, signIn } from '../test-support/portal.ts'
import { scimTokenOf } from '../test-support/scim.ts'
import { failureOf, type RawRequest, send } from '../test-support/send.ts'
import { startServer, type TestServer } from '../test-support/server.ts'
import { seatOf } from '../test-support/sign-ins.ts'
import { buildWorld, type World } from '../test-support/world.ts'
import { allIds, auditRows, expectHouseRules, isAnonymous, ofWhoeverHasIt } from './common.ts'

const hour = 3_600_000
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

/** A link opens the one thing that it is for, so that its kind is the link's. */
type Kind = Exclude<CredentialKind, 'link'> | `link to ${LinkKind}`
const kindOf = (rule: AuthRule): Kind => (rule.kind === 'link' ? `link to ${rule.link}` : rule.kind)

interface Presented {
  readonly name: string
  /** Absent for one that no endpoint admits. */
  readonly kinds?: readonly Kind[]
  readonly request: Pick<RawRequest, 'headers' | 'query'>
}

/** A session that ended a day ago: its tokens are spent. Moves the clock, so it comes before the world. */
const spentToken = async (server: TestServer): Promise<string> => {
  const api = server.client(server.orgs[0].sandboxKey)
  const { data } = await api.call('sessions.create')
  await api.call('sessions.end', { params: { id: data.id } })
  server.clock.advance(24 * hour)
  return data.agentJoinToken
}

const revokedKey = async (server: TestServer): Promise<string> => {
  const { orgId } = server.orgs[0]
  const key = { label: 'revoked', environment: 'sandbox', scopes } as const
  return server.app.db.transact(async (tx) => {
    const { token } = await mintApiKey({ ...server.app, tx, reader: tx }, { orgId, actor: system, input: key })
    await tx.run('UPDATE api_keys SET revoked_at = ? WHERE token_hash = ?', [server.app.clock.now(), hashSecret(token)])
    return token
  })
}

const tokenFor = (world: World, fields: { kind?: string; expiresIn?: number; objectId?: string } = {}): string => {
  const { app } = world.server
  const { kind = 'evidence:sandbox', expiresIn = 60_000, objectId = world.screenshotId } = fields
  return sign({ objectId, orgId: world.scope.orgId, kind, expiresAt: app.clock.now() + expiresIn }, app.downloadKey)
}

const unknown = '0123456789abcdefghijklmnopqrstuv'

/** The cookies of portal users, good ones and those that are good for nothing. */
const everyCookie = async (server: TestServer): Promise<Presented[]> => {
  const { app } = server
  // Nobody's member, so that what ends with a sign-in leaves no row in the chain that the tests count.
  const { userId } = await addPerson(server)
  const begin = () => app.db.transact((tx) => beginSignIn({ ...app, tx, reader: tx }, { userId }))
  const [good, expired, spent, ended] = [await begin(), await begin(), await begin(), await begin()]
  const access = (token: string) => ({ headers: cookieHeader({ portal_access: token }) })
  const refresh = (token: string) => ({ headers: cookieHeader({ portal_refresh: token }) })
  await app.db.transact(async (tx) => {
    for (const token of [expired.access, expired.refresh])
      await tx.run('UPDATE portal_tokens SET expires_at = ? WHERE token_hash = ?', [app.clock.now(), hashSecret(token)])
  })
  expect((await send(server.url, specOf('auth.refresh'), refresh(spent.refresh))).status).toBe(200)
  expect((await send(server.url, specOf('auth.logout'), refresh(ended.refresh))).status).toBe(200)
  const grace = refreshGraceSeconds * 1000
  await app.db.transact((tx) =>
    tx.run('UPDATE portal_tokens SET used_at = used_at - ? WHERE token_hash = ?', [grace, hashSecret(spent.refresh)]),
  )
  const owner = await portalCookie(server)
  return [
    { name: 'an access cookie', kinds: ['user', 'account', 'desk_operator'], request: { headers: owner } },
    { name: 'a refresh cookie', kinds: ['refresh'], request: refresh(good.refresh) },
    { name: 'an expired access cookie', request: access(expired.access) },
    { name: 'an expired refresh cookie', request: refresh(expired.refresh) },
    { name: 'an access cookie of a sign-in that ended', request: access(ended.access) },
    { name: 'a refresh cookie of a sign-in that ended', request: refresh(ended.refresh) },
    { name: 'a refresh token that was used some time before', request: refresh(spent.refresh) },
    { name: 'a refresh token as access cookie', request: access(good.refresh) },
    { name: 'an access token as refresh cookie', request: refresh(good.access) },
    { name: 'an access token as bearer', request: bearer(owner.cookie.replace('portal_access=', '')) },
    { name: 'a refresh token as bearer', request: bearer(good.refresh) },
    { name: 'an API key as access cookie', request: access(server.orgs[0].sandboxKey) },
    { name: 'an access cookie of nobody', request: access(`pac_${unknown}`) },
    { name: 'a refresh cookie of nobody', request: refresh(`prf_${unknown}`) },
    {
      name: 'good cookies beside a wrong bearer',
      request: { headers: { cookie: `${owner.cookie}; portal_refresh=${good.refresh}`, ...bearer('garbage').headers } },
    },
  ]
}

/** A link that was replaced by another one. */
const replacedLink = async (world: World): Promise<string> => {
  const { sessionId, invitationId, token } = await invitedSession(world)
  const { orgId } = world.scope
  const params = { orgId, id: sessionId, invitationId }
  await world.server.client().call('portal.invitations.resend', { headers: await portalCookie(world.server), params })
  return token
}

const everyCredential = async (world: World, spent: string, revoked: string): Promise<Presented[]> => {
  const org = world.server.orgs[0]
  return [
    { name: 'nothing', request: {} },
    { name: 'a sandbox API key', kinds: ['api_key'], request: bearer(org.sandboxKey) },
    { name: 'a live API key', kinds: ['api_key'], request: bearer(org.liveKey) },
    { name: 'an agent join token', kinds: ['agent'], request: bearer(world.live.agent) },
    { name: 'a companion token', kinds: ['companion'], request: bearer(world.live.companion) },
    { name: 'a room token', kinds: ['room'], request: bearer(world.live.room) },
    { name: 'a SCIM token', kinds: ['scim'], request: bearer(await scimTokenOf(world.server, org.orgId)) },
    {
      name: 'a key for assessments',
      kinds: ['assessment'],
      request: { headers: (await makeExample(world, 'assessments.listTests')).headers ?? {} },
    },
    {
      name: 'a key for assessments of nobody',
      request: { headers: { authorization: `Basic ${btoa(`asm_${unknown}:`)}` } },
    },
    { name: 'a SCIM token of nobody', request: bearer(`scim_${unknown}`) },
    ...(await everyCookie(world.server)),
    {
      name: 'the link of an invitation',
      kinds: ['link to invitation'],
      request: bearer((await invitedSession(world)).token),
    },
    {
      name: 'a link to candidate requests',
      kinds: ['link to candidate_request'],
      request: bearer((await freshRequest(world, 'access')).token),
    },
    {
      name: 'the link of an interviewer',
      kinds: ['link to interviewer'],
      request: bearer((await toldSession(world)).token),
    },
    { name: 'a link to requests that nobody made', request: bearer(`crq_${unknown}`) },
    { name: 'a link that was replaced', request: bearer(await replacedLink(world)) },
    { name: 'a link to an invitation that nobody made', request: bearer(`ivt_${unknown}`) },
    { name: 'a download token as bearer', request: bearer(tokenFor(world)) },
    { name: 'a download token in the query', kinds: ['download'], request: { query: { token: tokenFor(world) } } },
    { name: 'an expired download token', request: { query: { token: tokenFor(world, { expiresIn: 0 }) } } },
    {
      name: 'a download token of another kind',
      request: { query: { token: tokenFor(world, { kind: 'export:sandbox' }) } },
    },
    { name: 'an altered download token', request: { query: { token: `${tokenFor(world).slice(0, -2)}xx` } } },
    { name: 'garbage', request: bearer('garbage') },
    { name: 'a key that nobody minted', request: bearer(`sk_test_${unknown}`) },
    { name: 'a key in capitals', request: bearer(org.sandboxKey.toUpperCase()) },
    { name: 'a key with the end missing', request: bearer(org.sandboxKey.slice(0, -1)) },
    {
      name: 'basic authentication',
      request: { headers: { authorization: `Basic ${btoa(`user:${org.sandboxKey}`)}` } },
    },
    { name: 'an empty bearer', request: { headers: { authorization: 'Bearer' } } },
    { name: 'a token of a session that ended a day ago', request: bearer(spent) },
    { name: 'a revoked API key', request: bearer(revoked) },
  ]
}

/** What is presented is judged before an endpoint's own work: one endpoint of each kind is enough on a second database. */
const isFirstOfItsKind = (id: EndpointId): boolean => {
  const kinds = (of: EndpointId) => specOf(of).auth.map(kindOf).join()
  return allIds.find((other) => kinds(other) === kinds(id)) === id
}

for (const engine of everyEngine())
  describe(`a request with the wrong credential (${engine})`, () => {
    let server: TestServer
    let world: World
    let presented: Presented[]

    beforeAll(async () => {
      server = await startServer({ engine })
      const spent = await spentToken(server)
      const revoked = await revokedKey(server)
      world = await buildWorld(server)
      presented = await everyCredential(world, spent, revoked)
    })
    afterAll(() => server.stop())

    const askAs = (id: EndpointId, example: Example, cookie: { cookie: string }) =>
      send(server.url, specOf(id), { ...example, headers: { ...example.headers, ...cookie } })

    const guarded = allIds.filter((id) => !isAnonymous(specOf(id)))
    for (const id of casesInTurn(engine, guarded).filter(
      (candidate) => engine === 'sqlite' || isFirstOfItsKind(candidate),
    ))
      it(`is unauthorized at ${id}, whatever is presented`, async () => {
        const spec = specOf(id)
        const { params, headers, payload } = await makeExample(world, id)
        const contentType = headers?.['content-type']
        const before = await auditRows(world)
        for (const { name, kinds, request } of presented) {
          if (kinds && spec.auth.some((rule) => kinds.includes(kindOf(rule)))) continue
          const plain = { ...request.headers, ...(contentType ? { 'content-type': contentType } : {}) }
          const answer = await send(server.url, spec, { params, payload, query: request.query, headers: plain })
          expect(answer.status, `${name}: ${answer.text}`).toBe(401)
          expect(failureOf(answer).error.code).toBe('unauthorized')
          expectHouseRules(spec, answer)
        }
        expect(await auditRows(world)).toBe(before)
      })

    for (const id of casesInTurn(engine, allIds))
      for (const rule of specOf(id).auth) {
        if (rule.kind === 'api_key')
          it(`is refused by ${id} as insufficient_scope when the key holds every scope but ${rule.scope}`, async () => {
            const { orgId } = server.orgs[0]
            const others = scopes.filter((scope) => scope !== rule.scope)
            const { token } = await server.app.db.transact((tx) =>
              mintApiKey(
                { ...server.app, tx, reader: tx },
                {
                  orgId,
                  actor: system,
                  input: {
                    label: 'all but one',
                    environment: 'sandbox',
                    scopes: others,
                  },
                },
              ),
            )
            const example = await makeExample(world, id)
            const before = await auditRows(world)
            const headers = { ...example.headers, authorization: `Bearer ${token}` }
            const answer = await send(server.url, specOf(id), { ...example, headers })
            expect(answer.status).toBe(403)
            expect(failureOf(answer).error.code).toBe('insufficient_scope')
            expectHouseRules(specOf(id), answer)
            expect(await auditRows(world)).toBe(before)
          })
        if (rule.kind === 'user' && rule.permission) {
          const { permission, orPermission } = rule
          it(`is answered by ${id} to members who hold ${neededWords(rule)}, and forbidden to the others`, async () => {
            const needed = ofWhoeverHasIt.has(id) ? 'session.review.assign' : permission
            const held: readonly string[] = [needed, orPermission ?? needed].flatMap((name) => permissions[name].roles)
            for (const role of builtInRoles) {
              const example = await makeExample(world, id)
              const cookie = await portalCookie(server, role)
              const before = await auditRows(world)
              const answer = await askAs(id, example, cookie)
              if (held.includes(role)) expect(specOf(id).success as readonly number[], role).toContain(answer.status)
              else {
                expect(answer.status, role).toBe(403)
                expect(failureOf(answer).error.code).toBe('forbidden')
                expect(await auditRows(world)).toBe(before)
              }
            }
          })
        }
        if (rule.kind === 'desk_operator')
          it(`is forbidden at ${id} to every account whose address the settings do not name`, async () => {
            const example = await makeExample(world, id)
            const nobody = await signIn(server, (await addPerson(server)).email)
            const before = await auditRows(world)
            for (const { cookie } of [await portalCookie(server), nobody]) {
              const answer = await askAs(id, example, { cookie })
              expect(answer.status, answer.text).toBe(403)
              expect(failureOf(answer).error.code).toBe('forbidden')
              expectHouseRules(specOf(id), answer)
            }
            expect(await auditRows(world)).toBe(before)
          })
        if (rule.kind === 'user')
          it(`is not found at ${id} by whoever is no active member of its organisation`, async () => {
            const former = await addMember(server, 'owner')
            await deactivate(server, former.userId)
            const nobody = await addPerson(server)
            const example = await makeExample(world, id)
            const before = await auditRows(world)
            for (const [who, cookie] of [
              ['an owner of another organisation', await portalCookie(server, 'owner', server.orgs[1].orgId)],
              ['an owner who was deactivated', await seatOf(server, former.userId)],
              ['a member of nothing', await seatOf(server, nobody.userId)],
            ] as const) {
              const answer = await askAs(id, example, { cookie: cookie.cookie })
              expect(answer.status, `${who}: ${answer.text}`).toBe(404)
              expect(failureOf(answer).error.code).toBe('not_found')
              expectHouseRules(specOf(id), answer)
            }
            expect(await auditRows(world)).toBe(before)
          })
      }
  })
