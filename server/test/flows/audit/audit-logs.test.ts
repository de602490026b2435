import { createClient } from '@integrity/client/every-endpoint'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { mintApiKey } from '../../../src/domains/organisation/api-keys/api-keys.service.ts'
import { signMovedHeads } from '../../../src/domains/recording/audit/audit.service.ts'
import { tamper, writeChain } from '../../../src/kernel/audit/audit.test-support.ts'
import { system } from '../../../src/kernel/identity/actor.ts'
import type { Param, Reader } from '../../../src/platform/db/types.ts'
import { everyEngine } from '../../test-support/engines.ts'
import { addMember, cookieHeader, signIn } from '../../test-support/portal.ts'
import { refusalOf } from '../../test-support/refusal.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { append, elevenRows, recompute } from './audit.test-support.ts'

type Query = Readonly<Record<string, string | number>>
type Statement = readonly [string, readonly Param[]]

for (const engine of everyEngine())
  describe(`the audit trail (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    type Org = Awaited<ReturnType<typeof elevenRows>>
    const portal = () => createClient({ baseUrl: server.url })
    const list = async ({ orgId, headers }: Org, query: Query = {}) =>
      (await portal().call('portal.auditLogs.list', { params: { orgId }, headers, query: query as never })).data
    const verify = async ({ orgId, headers }: Org) =>
      (await portal().call('portal.auditLogs.verify', { params: { orgId }, headers })).data
    const pathsOf = async (org: Org, query: Query) =>
      (await refusalOf(list(org, query))).details?.map(({ path }) => path)
    const sizeOf = async (orgId: string) =>
      (await server.app.db.reader.get<{ n: number }>('SELECT audit_seq AS n FROM org_heads WHERE org_id = ?', [orgId]))!
        .n

    const empty = (orgId: string) =>
      tamper(
        server.app.db,
        ['DELETE FROM audit_payloads WHERE org_id = ?', [orgId]],
        ['DELETE FROM audit_log WHERE org_id = ?', [orgId]],
      )

    describe('portal.auditLogs.list', () => {
      it('shows what happened newest first, with who did it and what was said', async () => {
        const org = await elevenRows(server)
        const key = await server.app.db.transact((tx) =>
          mintApiKey(
            { ...server.app, tx, reader: tx },
            {
              orgId: org.orgId,
              actor: system,
              input: {
                label: 'Builder',
                environment: 'live',
                scopes: ['org:read'],
              },
            },
          ),
        )
        await append(
          server,
          org.orgId,
          { action: 'session.ended', target: 'ses_2' },
          { kind: 'api_key', id: key.keyId },
        )
        const { items, total, totalIsExact } = await list(org, { limit: 100 })
        expect(items.map(({ seq }) => seq)).toEqual(Array.from({ length: 13 }, (_, n) => 13 - n))
        expect({ total, totalIsExact }).toEqual({ total: 13, totalIsExact: true })
        expect(items[0]).toMatchObject({ action: 'session.ended', actor: { kind: 'api_key', label: 'Builder' } })
        expect(items[0]).not.toHaveProperty('payload')
        expect(items.at(-2)).toMatchObject({
          actor: { kind: 'system', id: 'system' },
          sessionId: 'ses_2',
          payload: { candidateLabel: 'Ünï "2"', at: [2, null, { deep: '\u0001\u2028' }] },
          hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        })
        expect(items.at(-1)).toMatchObject({ actor: { kind: 'user', label: expect.stringMatching(/@example\.org$/) } })
        expect(await sizeOf(org.orgId)).toBe(13)
      })

      it('says each action as a sentence where a language is asked for, also one that the service does not write', async () => {
        const org = await elevenRows(server)
        const textsOf = async (query: Query) => new Set((await list(org, query)).items.map(({ text }) => text))
        expect(await textsOf({})).toEqual(new Set([undefined]))
        const action = 'session.created'
        expect(await textsOf({ texts: 'en', action })).toEqual(new Set(['A session was scheduled.']))
        expect(await textsOf({ texts: 'xx-YY', action })).toEqual(new Set(['A session was scheduled.']))
        expect(await textsOf({ texts: 'hi-IN', action })).toEqual(new Set(['एक सत्र निर्धारित किया गया।']))
      })

      it('by every filter together shows what matches all of them, and says how many', async () => {
        const org = await elevenRows(server)
        const [one, other] = [await addMember(server, 'admin', org.orgId), await addMember(server, 'admin', org.orgId)]
        const actions = ['session.events_received', 'session.created', 'session.ended'] as const
        for (let n = 0; n < 36; n += 1) {
          server.clock.advance(1000)
          const actor = [system, { kind: 'user', id: one.userId }, { kind: 'account', id: other.userId }] as const
          const entry = { action: actions[n % 3]!, target: 't', sessionId: [null, 'ses_a', 'ses_b'][n % 4] ?? null }
          await append(server, org.orgId, entry, actor[Math.floor(n / 3) % 3])
        }
        const { items: all } = await list(org, { limit: 100 })
        const choices: Record<string, (string | undefined)[]> = {
          action: [undefined, ...actions.slice(0, 2)],
          sessionId: [undefined, 'ses_a'],
          userId: [undefined, one.userId, other.userId],
          from: [undefined, all[20]!.at],
          to: [undefined, all[5]!.at],
        }
        let queries: Record<string, string>[] = [{}]
        for (const [name, values] of Object.entries(choices))
          queries = queries.flatMap((query) =>
            values.map((value) => (value === undefined ? query : { ...query, [name]: value })),
          )
        for (const query of queries) {
          const matching = all.filter(
            (row) =>
              (query['action'] ?? row.action) === row.action &&
              (query['sessionId'] ?? row.sessionId) === row.sessionId &&
              (query['userId'] ?? row.actor.id) === row.actor.id &&
              row.at >= (query['from'] ?? '') &&
              row.at < (query['to'] ?? '9'),
          )
          const page = await list(org, { ...query, limit: 100 })
          expect(page, JSON.stringify(query)).toMatchObject({ items: matching, total: matching.length })
          const turned = await list(org, { ...query, limit: 2, offset: 1 })
          expect(turned.items).toEqual(matching.slice(1, 3))
          if (turned.nextCursor !== null)
            expect((await list(org, { ...query, limit: 2, cursor: turned.nextCursor })).items).toEqual(
              matching.slice(3, 5),
            )
        }
      })

      it('counts no further than 10,000, and says so', async () => {
        const org = await elevenRows(server)
        await empty(org.orgId)
        await writeChain(server.app.db, org.orgId, 10_001, server.app.seal)
        expect(await list(org)).toMatchObject({ total: 10_001, totalIsExact: true })
        expect(await list(org, { action: 'org.created' })).toMatchObject({ total: 10_000, totalIsExact: false })
        expect(await list(org, { sessionId: 'ses_2' })).toMatchObject({ total: 1, totalIsExact: true })
        const second = (await server.app.db.reader.get<{ at: number }>(
          'SELECT at FROM audit_log WHERE org_id = ? AND seq = 2',
          [org.orgId],
        ))!
        const behindFirst = { from: new Date(second.at).toISOString() }
        expect(await list(org, behindFirst)).toMatchObject({ total: 10_000, totalIsExact: true })
      })

      it('shows nothing of another organisation, whatever is asked for', async () => {
        const [org, foreign] = [await elevenRows(server), await elevenRows(server)]
        const owner = (await list(foreign)).items.at(-1)!.actor.id
        expect(await list(org, { userId: owner })).toMatchObject({ items: [], total: 0 })
        const { nextCursor } = await list(foreign, { limit: 1 })
        expect(await pathsOf(org, { cursor: nextCursor! })).toEqual(['cursor'])
        expect(await refusalOf(list({ ...org, orgId: foreign.orgId }))).toMatchObject({ status: 404 })
        expect(await refusalOf(verify({ ...org, orgId: foreign.orgId }))).toMatchObject({ status: 404 })
      })

      it('refuses what nobody can mean', async () => {
        const org = await elevenRows(server)
        const at = '2026-11-20T10:00:00.000Z'
        expect(await pathsOf(org, { from: '2026-11-20T10:00:00.001Z', to: at })).toEqual(['from'])
        expect((await list(org, { from: at, to: at })).items).toEqual([])
        for (const limit of [0, 1e9]) expect(await pathsOf(org, { limit })).toEqual(['limit'])
        for (const name of ['action', 'sessionId', 'userId'])
          for (const value of ['', 'a\u0000b', 'ses_\n', "' OR 1=1", 'x'.repeat(65)])
            expect(new Set(await pathsOf(org, { [name]: value })), JSON.stringify(value)).toEqual(new Set([name]))
        // One that never happened is no mistake; one that there is not would read as if it had not happened.
        expect(await list(org, { action: 'session.erased' })).toMatchObject({ items: [], total: 0 })
        expect(await pathsOf(org, { action: 'session.erase' })).toEqual(['action'])
      })

      it('is for who may see it', async () => {
        const org = await elevenRows(server)
        const reviewer = await addMember(server, 'reviewer', org.orgId)
        const headers = cookieHeader({ portal_access: (await signIn(server, reviewer.email)).access })
        for (const asked of [() => list({ ...org, headers }), () => verify({ ...org, headers })])
          expect(await refusalOf(asked())).toMatchObject({ status: 403 })
      })
    })

    describe('portal.auditLogs.verify', () => {
      const head = (orgId: string, seq: number): Statement => [
        'UPDATE org_heads SET audit_seq = ?, audit_hash = (SELECT hash FROM audit_log WHERE org_id = ? AND seq = ?) WHERE org_id = ?',
        [seq, orgId, seq, orgId],
      ]
      const move = (orgId: string, from: number, to: number): Statement => [
        'UPDATE audit_log SET seq = ? WHERE org_id = ? AND seq = ?',
        [to, orgId, from],
      ]
      /** A copy of row 1 as another row. */
      const insert = (orgId: string, seq: number): Statement => [
        `INSERT INTO audit_log SELECT org_id, ${seq}, at, actor_kind, actor_id, action, target, session_id, payload_hash,
           prev_hash, hash FROM audit_log WHERE org_id = ? AND seq = 1`,
        [orgId],
      ]

      it('finds a good chain good, with its head and its newest checkpoint, and adds nothing to it', async () => {
        const org = await elevenRows(server)
        const before = await verify(org)
        const [last] = (await list(org, { limit: 1 })).items
        expect(before).toEqual({
          ok: true,
          rows: 11,
          head: { seq: 11, hash: last!.hash },
          verifierKey: expect.stringContaining(`interview-integrity/audit/${org.orgId}+`),
        })
        await signMovedHeads(server.app)
        const { checkpoint } = await verify(org)
        expect(checkpoint?.split('\n').slice(0, 2)).toEqual([`interview-integrity/audit/${org.orgId}`, '11'])
        expect(await sizeOf(org.orgId)).toBe(11)
      })

      const attacks: Record<string, [(orgId: string) => Statement[], number, string]> = {
        'flips a column': [
          (o) => [["UPDATE audit_log SET action = 'x' WHERE org_id = ? AND seq = 6", [o]]],
          6,
          'altered',
        ],
        'flips an instant': [
          (o) => [['UPDATE audit_log SET at = 9000000000000000 WHERE org_id = ? AND seq = 6', [o]]],
          6,
          'altered',
        ],
        'flips a payload': [
          (o) => [["UPDATE audit_payloads SET payload = '{}' WHERE org_id = ? AND seq = 6", [o]]],
          6,
          'altered',
        ],
        'deletes a row': [(o) => [['DELETE FROM audit_log WHERE org_id = ? AND seq = 6', [o]]], 6, 'missing'],
        'deletes the first row': [(o) => [['DELETE FROM audit_log WHERE org_id = ? AND seq = 1', [o]]], 1, 'missing'],
        'inserts a row behind the head': [(o) => [insert(o, 12)], 12, 'altered'],
        'inserts a row before the first': [(o) => [insert(o, 0)], 0, 'forked'],
        'inserts a row in the middle': [
          (o) => [...[11, 10, 9, 8, 7, 6].map((n) => move(o, n, n + 1)), insert(o, 6), head(o, 12)],
          6,
          'reordered',
        ],
        'changes the order': [(o) => [move(o, 4, 100), move(o, 7, 4), move(o, 100, 7)], 4, 'reordered'],
        'cuts the tail': [(o) => [['DELETE FROM audit_log WHERE org_id = ? AND seq > 8', [o]]], 9, 'cut_off'],
        'cuts the tail and puts the head back': [
          (o) => [['DELETE FROM audit_log WHERE org_id = ? AND seq > 8', [o]], head(o, 8)],
          9,
          'cut_off',
        ],
        'puts the head back': [(o) => [head(o, 8)], 9, 'forked'],
        'deletes everything': [(o) => [['DELETE FROM audit_log WHERE org_id = ?', [o]]], 1, 'cut_off'],
      }
      for (const [what, [statements, seq, reason]] of Object.entries(attacks))
        it(`names row ${seq} to whoever ${what}`, async () => {
          const org = await elevenRows(server)
          await signMovedHeads(server.app)
          await tamper(server.app.db, ...statements(org.orgId))
          expect(await verify(org)).toMatchObject({ ok: false, rows: Math.max(0, seq - 1), firstBad: { seq, reason } })
        })

      it('names the checkpoint that a chain contradicts which was hashed anew as a whole', async () => {
        const org = await elevenRows(server)
        await signMovedHeads(server.app)
        await append(server, org.orgId, { action: 'session.ended', target: 'ses_2' })
        await recompute(server, org.orgId, 3, 'ses_another')
        expect(await verify(org)).toMatchObject({ ok: false, firstBad: { seq: 11, reason: 'forked' } })
      })

      it('finds a chain good whose payloads were lawfully erased', async () => {
        const org = await elevenRows(server)
        await server.app.db.transact((tx) =>
          tx.run('DELETE FROM audit_payloads WHERE org_id = ? AND seq <> 4', [org.orgId]),
        )
        expect(await verify(org)).toMatchObject({ ok: true, rows: 11 })
        expect((await list(org, { limit: 1 })).items[0]).not.toHaveProperty('payload')
      })

      it('holds a page of a long chain, reads it out of the way of others, and once for all who ask meanwhile', async () => {
        const org = await elevenRows(server)
        await empty(org.orgId)
        await writeChain(server.app.db, org.orgId, 5_200, server.app.seal)
        await server.app.db.transact((tx) => server.app.audit.sign(tx, org.orgId))
        const pages: number[] = []
        const { db } = server.app
        const longReader = db.longReader.bind(db)
        const spy = vi.spyOn(db, 'longReader').mockImplementation((owner, onSpent) => {
          const reader = longReader(owner, onSpent)
          const watched: Reader = {
            get: (sql, params) => reader.get(sql, params),
            async all<Row>(sql: string, params?: readonly Param[]) {
              const rows = await reader.all<Row>(sql, params)
              if (sql.includes('audit_payloads')) pages.push(rows.length)
              return rows
            },
          }
          return watched
        })
        const reports = await Promise.all(Array.from({ length: 30 }, () => verify(org)))
        spy.mockRestore()
        for (const report of reports) expect(report).toMatchObject({ ok: true, rows: 5_200 })
        expect(Math.max(...pages)).toBe(500)
        const walks = pages.length / 11
        expect(walks).toBeGreaterThanOrEqual(1)
        expect(walks).toBeLessThan(30)
        expect(pages.slice(0, 11).reduce((sum, rows) => sum + rows)).toBeLessThanOrEqual(5_200)
      })
    })
  })
