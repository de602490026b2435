import { type Client, createClient } from '@integrity/client/every-endpoint'
import { maxApiKeys, permissions, scopes } from '@integrity/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey, mintApiKey } from '../../../src/domains/organisation/api-keys/api-keys.service.ts'
import { type ActorOf, system } from '../../../src/kernel/identity/actor.ts'
import { hashSecret } from '../../../src/platform/crypto/secrets.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { portalCookie } from '../../test-support/portal.ts'
import { publish } from '../../test-support/publish.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { openStream } from '../../test-support/sse-client.ts'

type Scope = (typeof scopes)[number]

for (const engine of enginesInTurn(import.meta.filename))
  describe(`API keys in the portal (${engine})`, () => {
    let server: TestServer
    let orgId: string
    let portal: Client
    let cookie: { cookie: string }
    beforeAll(async () => {
      server = await startServer({ engine })
      orgId = server.orgs[0].orgId
      portal = createClient({ baseUrl: server.url })
      cookie = await portalCookie(server, 'admin')
    })
    afterAll(() => server.stop())

    const create = async (body: { label?: string; environment?: 'live' | 'sandbox'; scopes?: readonly Scope[] } = {}) =>
      (
        await portal.call('portal.apiKeys.create', {
          params: { orgId },
          headers: cookie,
          body: {
            label: 'Build machine',
            environment: 'sandbox',
            scopes: ['org:read', 'events:read'],
            ...body,
          } as never,
        })
      ).data
    const rotate = async (keyId: string) =>
      (await portal.call('portal.apiKeys.rotate', { params: { orgId, keyId }, headers: cookie })).data
    const revoke = async (keyId: string) =>
      (await portal.call('portal.apiKeys.revoke', { params: { orgId, keyId }, headers: cookie })).data
    const list = async (query: Record<string, unknown> = {}) =>
      (await portal.call('portal.apiKeys.list', { params: { orgId }, headers: cookie, query })).data
    const self = (token: string) => server.client(token).call('orgs.me')
    const auditOf = (id: string) =>
      server.app.db.reader.all<{ action: string; actorKind: string }>(
        'SELECT action, actor_kind AS "actorKind" FROM audit_log WHERE org_id = ? AND target = ? ORDER BY seq',
        [orgId, id],
      )

    describe('portal.apiKeys.create', () => {
      it.each(['live', 'sandbox'] as const)(
        'mints a %s key that works at once, and keeps only its hash',
        async (environment) => {
          const made = await create({ label: '  Build machine ', environment })
          expect(made.token).toMatch(environment === 'live' ? /^sk_(?!test_)\w{32}$/ : /^sk_test_\w{32}$/)
          expect(made).toMatchObject({
            label: 'Build machine',
            environment,
            scopes: ['org:read', 'events:read'],
            prefix: made.token.slice(0, environment === 'live' ? 7 : 12),
            status: 'active',
            createdAt: new Date(server.clock.now()).toISOString(),
            createdBy: { kind: 'user' },
            rotatedAt: null,
            revokedAt: null,
          })
          const { data } = await self(made.token)
          expect(data).toMatchObject({ keyId: made.id, environment, scopes: made.scopes, org: { id: orgId } })
          const row = await server.app.db.reader.get('SELECT * FROM api_keys WHERE key_id = ?', [made.id])
          expect(JSON.stringify(row)).not.toContain(made.token)
          expect(await auditOf(made.id)).toEqual([{ action: 'api_key.created', actorKind: 'user' }])
        },
      )

      it('takes any set of scopes, counts one that comes twice once, and grants nothing beyond the set', async () => {
        const twice = await create({ scopes: ['reports:read', 'org:read', 'reports:read'] })
        expect(twice.scopes).toEqual(['reports:read', 'org:read'])
        const every = await create({ scopes })
        expect((await self(every.token)).data.scopes).toEqual([...scopes])
        const one = await create({ scopes: ['sessions:read'] })
        await server.client(one.token).call('sessions.list')
        for (const id of ['orgs.me', 'sessions.create', 'events.list'] as const)
          expect(await refusalOf(server.client(one.token).call(id))).toMatchObject({ code: 'insufficient_scope' })
      })

      it('names the path of a scope that does not exist, and refuses none at all and a label without a word', async () => {
        const problem = async (body: object) => (await refusalOf(create(body))).details.map(({ path }) => path)
        expect(await problem({ scopes: ['org:read', 'org:write'] })).toEqual(['scopes.1'])
        expect(await problem({ scopes: [] })).toEqual(['scopes'])
        expect(await problem({ scopes: 'org:read' })).toEqual(['scopes'])
        expect(await problem({ label: '   ', environment: 'production' })).toEqual(['label', 'environment'])
      })

      it('refuses scopes beyond the permissions of the maker, and names them', async () => {
        const held = (Object.keys(permissions) as (keyof typeof permissions)[]).filter(
          (name) => name !== 'evidence.export' && name !== 'webhook.manage',
        )
        const actor: ActorOf<'user'> = {
          kind: 'user',
          id: 'usr_1',
          email: 'maker@example.org',
          orgId,
          environment: 'live',
          permissions: held,
        }
        const input = { label: 'more', environment: 'live', scopes } as const
        const before = (await list()).total
        const error = await server.app.db
          .transact((tx) => createKey({ ...server.app, tx, reader: tx, actor }, input))
          .catch((e: unknown) => e)
        expect(error).toMatchObject({
          code: 'forbidden',
          message: expect.stringMatching(/evidence:read, webhooks:read, webhooks:write$/) as string,
        })
        expect((await list()).total).toBe(before)
      })
    })

    describe('portal.apiKeys.rotate', () => {
      it('puts another secret in the place of the old one, which stops at once', async () => {
        const made = await create()
        await self(made.token)
        server.clock.advance(1000)
        const rotated = await rotate(made.id)
        const { token, prefix, rotatedAt, ...same } = rotated
        const { token: old, prefix: oldPrefix, rotatedAt: never, ...before } = made
        expect(same).toEqual(before)
        expect(never).toBeNull()
        expect(rotatedAt).toBe(new Date(server.clock.now()).toISOString())
        expect(token).not.toBe(old)
        expect(prefix).toBe(token.slice(0, 12))
        expect(oldPrefix).not.toBe(prefix)
        expect(await refusalOf(self(old))).toMatchObject({ code: 'unauthorized' })
        expect((await self(token)).data.keyId).toBe(made.id)
        expect((await auditOf(made.id)).map(({ action }) => action)).toEqual(['api_key.created', 'api_key.rotated'])
      })

      it('ends the streams that are open with the old secret, and no others', async () => {
        const [made, other] = [await create(), await create()]
        const open = (token: string) =>
          openStream(`${server.url}/v1/api/events/stream`, { authorization: `Bearer ${token}` })
        const [mine, again, theirs] = [await open(made.token), await open(made.token), await open(other.token)]
        const rotated = await rotate(made.id)
        expect(await mine.ended).toBe(true)
        expect(await again.ended).toBe(true)
        await publish(server)
        await theirs.seen(1)
        const next = await open(rotated.token)
        expect(next.status).toBe(200)
        await revoke(made.id)
        expect(await next.ended).toBe(true)
        theirs.close()
        await theirs.ended
      })

      it('is refused for a revoked key', async () => {
        const { id } = await create()
        await revoke(id)
        expect(await refusalOf(rotate(id))).toMatchObject({ code: 'conflict' })
      })
    })

    describe('portal.apiKeys.revoke', () => {
      it('stops the key at once, answers the same again, and leaves a tombstone in the list', async () => {
        const made = await create({ label: 'short-lived' })
        await self(made.token)
        server.clock.advance(1000)
        const first = await revoke(made.id)
        expect(first).toEqual({ id: made.id, deleted: true, revokedAt: new Date(server.clock.now()).toISOString() })
        expect(await refusalOf(self(made.token))).toMatchObject({ code: 'unauthorized' })
        server.clock.advance(1000)
        expect(await revoke(made.id)).toEqual(first)
        const { items } = await list({ status: 'revoked' })
        expect(items.find(({ id }) => id === made.id)).toMatchObject({ status: 'revoked', revokedAt: first.revokedAt })
        expect((await auditOf(made.id)).map(({ action }) => action)).toEqual(['api_key.created', 'api_key.revoked'])
      })

      it('does not let a lookup from before it bring the key back', async () => {
        const made = await create()
        const stamp = server.app.credentials.stamp()
        const { actor } = {
          actor: { kind: 'api_key', id: made.id, orgId, environment: 'sandbox', label: 'x', scopes },
        } as const
        await revoke(made.id)
        server.app.credentials.set(hashSecret(made.token), { actor, until: Number.POSITIVE_INFINITY }, stamp)
        expect(await refusalOf(self(made.token))).toMatchObject({ code: 'unauthorized' })
      })
    })

    describe('portal.apiKeys.list', () => {
      it('shows both environments, newest first, filters them, and never shows a secret or its hash', async () => {
        server.clock.advance(1000)
        const live = await create({ environment: 'live' })
        server.clock.advance(1000)
        const sandbox = await create()
        await revoke(sandbox.id)
        const { items, total } = await list({ limit: 100 })
        expect(items.length).toBe(total)
        expect(items.slice(0, 2).map(({ id }) => id)).toEqual([sandbox.id, live.id])
        expect(items.at(-1)?.createdBy).toEqual({ kind: 'operator', id: 'command-line' })
        for (const environment of ['live', 'sandbox'] as const)
          for (const status of ['active', 'revoked'] as const) {
            const wanted = items.filter((key) => key.environment === environment && key.status === status)
            expect(await list({ limit: 100, environment, status })).toMatchObject({
              items: wanted,
              total: wanted.length,
            })
          }
        const text = JSON.stringify(items)
        for (const { token } of [live, sandbox]) {
          expect(text).not.toContain(token)
          expect(text).not.toContain(hashSecret(token))
        }
      })
    })

    it('an organisation has 100 living keys at most; a revoked one makes room', async () => {
      const other = server.orgs[1].orgId
      const owner = await portalCookie(server, 'owner', other)
      const key = { label: 'one of many', environment: 'sandbox', scopes: ['org:read'] } as const
      const last = await server.app.db.transact(async (tx) => {
        let made = { keyId: '' }
        for (let n = 2; n < maxApiKeys; n++)
          made = await mintApiKey({ ...server.app, tx, reader: tx }, { orgId: other, actor: system, input: key })
        return made
      })
      const more = () =>
        portal.call('portal.apiKeys.create', {
          params: { orgId: other },
          headers: owner,
          body: { ...key, scopes: [...key.scopes] },
        })
      expect(await refusalOf(more())).toMatchObject({ code: 'conflict' })
      await portal.call('portal.apiKeys.revoke', { params: { orgId: other, keyId: last.keyId }, headers: owner })
      const outcomes = await Promise.allSettled([more(), more(), more()])
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })
  })
