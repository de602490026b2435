import { builtInRoles, type CredentialKind, permissions, scopes } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mintApiKey } from '../../src/domains/orgs/bootstrap.service.ts'
import { system } from '../../src/platform/actor.ts'
import { hashSecret } from '../../src/platform/crypto/secrets.ts'
import { sign } from '../../src/platform/crypto/signed-token.ts'
import { hasEngine } from '../support/databases.ts'
import { makeExample, specOf } from '../support/examples.ts'
import { portalCookie } from '../support/portal.ts'
import { failureOf, type RawRequest, send } from '../support/send.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { buildWorld, type World } from '../support/world.ts'
import { allIds, auditRows, expectHouseRules, isAnonymous } from './common.ts'

const hour = 3_600_000
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

interface Presented {
  readonly name: string
  /** Absent for one that no endpoint admits. */
  readonly kind?: CredentialKind
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
    const { token } = await mintApiKey(server.app, tx, orgId, system, key)
    await tx.run('UPDATE api_keys SET revoked_at = ? WHERE token_hash = ?', [server.app.clock.now(), hashSecret(token)])
    return token
  })
}

const tokenFor = (world: World, fields: { kind?: string; expiresIn?: number; objectId?: string } = {}): string => {
  const { app } = world.server
  const { kind = 'evidence:sandbox', expiresIn = 60_000, objectId = world.screenshotId } = fields
  return sign({ objectId, orgId: world.scope.orgId, kind, expiresAt: app.clock.now() + expiresIn }, app.downloadKey)
}

const everyCredential = (world: World, spent: string, revoked: string): Presented[] => {
  const org = world.server.orgs[0]
  return [
    { name: 'nothing', request: {} },
    { name: 'a sandbox API key', kind: 'api_key', request: bearer(org.sandboxKey) },
    { name: 'a live API key', kind: 'api_key', request: bearer(org.liveKey) },
    { name: 'an agent join token', kind: 'agent', request: bearer(world.live.agent) },
    { name: 'a companion token', kind: 'companion', request: bearer(world.live.companion) },
    { name: 'a room token', kind: 'room', request: bearer(world.live.room) },
    { name: 'a portal user', kind: 'user', request: { headers: portalCookie(org.orgId, 'owner') } },
    { name: 'a portal cookie of nobody', request: { headers: { cookie: 'test-user=nobody' } } },
    { name: 'a download token as bearer', request: bearer(tokenFor(world)) },
    { name: 'a download token in the query', kind: 'download', request: { query: { token: tokenFor(world) } } },
    { name: 'an expired download token', request: { query: { token: tokenFor(world, { expiresIn: 0 }) } } },
    {
      name: 'a download token of another kind',
      request: { query: { token: tokenFor(world, { kind: 'export:sandbox' }) } },
    },
    { name: 'an altered download token', request: { query: { token: `${tokenFor(world).slice(0, -2)}xx` } } },
    { name: 'garbage', request: bearer('garbage') },
    { name: 'a key that nobody minted', request: bearer('sk_test_0123456789abcdefghijklmnopqrstuv') },
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

for (const engine of ['sqlite', 'postgres'] as const)
  describe.skipIf(!hasEngine(engine))(`a request with the wrong credential (${engine})`, () => {
    let server: TestServer
    let world: World
    let presented: Presented[]

    beforeAll(async () => {
      server = await startServer({ engine })
      const spent = await spentToken(server)
      const revoked = await revokedKey(server)
      world = await buildWorld(server)
      presented = everyCredential(world, spent, revoked)
    })
    afterAll(() => server.stop())

    for (const id of allIds.filter((candidate) => !isAnonymous(specOf(candidate))))
      it(`is unauthorized at ${id}, whatever is presented`, async () => {
        const spec = specOf(id)
        const { params, headers, payload } = await makeExample(world, id)
        const contentType = headers?.['content-type']
        const before = await auditRows(world)
        for (const { name, kind, request } of presented) {
          if (kind && spec.auth.some((rule) => rule.kind === kind)) continue
          const plain = { ...request.headers, ...(contentType ? { 'content-type': contentType } : {}) }
          const answer = await send(server.url, spec, { params, payload, query: request.query, headers: plain })
          expect(answer.status, `${name}: ${answer.text}`).toBe(401)
          expect(failureOf(answer).error.code).toBe('unauthorized')
          expectHouseRules(spec, answer)
        }
        expect(await auditRows(world)).toBe(before)
      })

    for (const id of allIds)
      for (const rule of specOf(id).auth) {
        if (rule.kind === 'api_key')
          it(`is refused by ${id} as insufficient_scope when the key holds every scope but ${rule.scope}`, async () => {
            const { orgId } = server.orgs[0]
            const others = scopes.filter((scope) => scope !== rule.scope)
            const { token } = await server.app.db.transact((tx) =>
              mintApiKey(server.app, tx, orgId, system, {
                label: 'all but one',
                environment: 'sandbox',
                scopes: others,
              }),
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
        const permission = rule.kind === 'user' ? rule.permission : undefined
        if (permission)
          it(`is answered by ${id} to members who hold ${permission}, and forbidden to the others`, async () => {
            const { orgId } = server.orgs[0]
            const held: readonly string[] = permissions[permission].roles
            for (const role of builtInRoles) {
              const example = await makeExample(world, id)
              const answer = await send(server.url, specOf(id), { ...example, headers: portalCookie(orgId, role) })
              expect(answer.status, role).toBe(held.includes(role) ? 200 : 403)
              if (!held.includes(role)) expect(failureOf(answer).error.code).toBe('forbidden')
            }
          })
      }
  })
