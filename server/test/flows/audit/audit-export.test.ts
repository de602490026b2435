import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signedHead } from '../../../src/domains/recording/audit/audit.export.service.ts'
import { signMovedHeads } from '../../../src/domains/recording/audit/audit.service.ts'
import { type AuditRow, payloadHash, rowHash } from '../../../src/kernel/audit/audit.chain.ts'
import { checkpointKey, verifyCheckpoint } from '../../../src/kernel/audit/audit.checkpoint.ts'
import { tamper, writeChain } from '../../../src/kernel/audit/audit.test-support.ts'
import { canonicalize } from '../../../src/platform/canonical-json.ts'
import type { Param, Reader } from '../../../src/platform/db/types.ts'
import { enginesInTurn } from '../../test-support/engines.ts'
import { startServer, type TestServer } from '../../test-support/server.ts'
import { append, elevenRows, recompute } from './audit.test-support.ts'

interface RowLine {
  readonly type: 'row'
  readonly row: AuditRow
  readonly payload?: Record<string, unknown>
  readonly salt?: string
}
interface EndLine {
  readonly type: 'end'
  readonly nextAfterSeq: number | null
  readonly checkpoint: string | null
  readonly verifierKey: string
}

for (const engine of enginesInTurn(import.meta.filename))
  describe(`portal.auditLogs.export (${engine})`, () => {
    let server: TestServer
    beforeAll(async () => {
      server = await startServer({ engine })
    })
    afterAll(() => server.stop())

    type Org = Awaited<ReturnType<typeof elevenRows>>
    const ask = ({ orgId, headers }: Org, query: Readonly<Record<string, string>> = {}, method = 'GET') =>
      fetch(`${server.url}/v1/orgs/${orgId}/audit-logs/export?${new URLSearchParams(query).toString()}`, {
        headers,
        method,
      })
    const linesOf = async (org: Org, query: Readonly<Record<string, string>> = {}) => {
      const answer = await ask(org, query)
      expect(answer.status).toBe(200)
      const lines = (await answer.text())
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as RowLine | EndLine)
      return {
        headers: answer.headers,
        rows: lines.slice(0, -1) as RowLine[],
        seqs: lines.slice(0, -1).map((line) => (line as RowLine).row.seq),
        end: lines.at(-1) as EndLine,
      }
    }
    const stated = (org: Org, { checkpoint }: EndLine) =>
      verifyCheckpoint([checkpointKey(server.app.keyring).publicKey], org.orgId, checkpoint ?? '')

    it('gives every row as it was hashed, its payload and salt, and a signed checkpoint of the last one', async () => {
      const org = await elevenRows(server)
      const { headers, rows, end } = await linesOf(org)
      expect(headers.get('content-type')).toBe('application/x-ndjson')
      expect(headers.get('content-disposition')).toBe('attachment; filename="audit.ndjson"')
      expect(headers.has('x-service-next-after-seq')).toBe(false)
      let before = '0'.repeat(64)
      for (const [n, { row, payload, salt }] of rows.entries()) {
        expect(row).toMatchObject({ seq: n + 1, prevHash: before })
        if (row.payloadHash === null) expect([payload, salt]).toEqual([undefined, undefined])
        else expect(payloadHash(Buffer.from(salt!, 'hex'), canonicalize(payload))).toBe(row.payloadHash)
        before = rowHash(row)
      }
      expect(rows).toHaveLength(11)
      expect(end.nextAfterSeq).toBe(null)
      expect(stated(org, end)).toEqual({ status: 'verified', head: { seq: 11, hash: before } })
      expect((await linesOf(org)).rows).toHaveLength(11)
      // What was signed is kept, so that a chain that is written again later contradicts it.
      const kept = 'SELECT size FROM audit_checkpoints WHERE org_id = ?'
      expect(await server.app.db.reader.all(kept, [org.orgId])).toEqual([{ size: 11 }])
    })

    it('comes in parts that are the whole together, each with its own checkpoint', async () => {
      const org = await elevenRows(server)
      const whole = await linesOf(org)
      const rows: RowLine[] = []
      let after: number | null = 0
      while (after !== null) {
        const part = await linesOf(org, { afterSeq: String(after), limit: '4' })
        expect(part.headers.get('x-service-next-after-seq')).toBe(part.end.nextAfterSeq?.toString() ?? null)
        rows.push(...part.rows)
        const last = part.rows.at(-1)!.row
        expect(stated(org, part.end)).toEqual({ status: 'verified', head: { seq: last.seq, hash: rowHash(last) } })
        after = part.end.nextAfterSeq
      }
      expect(rows).toEqual(whole.rows)
    })

    it('by filters gives the rows that match, says where the next part begins, and states the head', async () => {
      const org = await elevenRows(server)
      server.clock.advance(60_000)
      for (const n of [1, 2, 3])
        await append(server, org.orgId, { action: 'session.ended', target: `t${n}`, sessionId: 'ses_5' })
      const at = new Date(server.clock.now()).toISOString()
      expect((await linesOf(org, { sessionId: 'ses_5' })).seqs).toEqual([5, 12, 13, 14])
      expect((await linesOf(org, { action: 'user.signed_in' })).seqs).toEqual([1])
      expect((await linesOf(org, { from: at })).seqs).toEqual([12, 13, 14])
      expect((await linesOf(org, { to: at, sessionId: 'ses_5' })).seqs).toEqual([5])
      expect(
        (await linesOf(org, { action: 'session.ended', sessionId: 'ses_5', from: at, afterSeq: '12' })).seqs,
      ).toEqual([13, 14])
      const part = await linesOf(org, { sessionId: 'ses_5', limit: '2' })
      expect(part.seqs).toEqual([5, 12])
      expect(part.end.nextAfterSeq).toBe(12)
      expect(part.headers.has('x-service-next-after-seq')).toBe(false)
      expect(stated(org, part.end)).toMatchObject({ status: 'verified', head: { seq: 14 } })
      expect((await linesOf(org, { sessionId: 'ses_5', afterSeq: '12' })).end.nextAfterSeq).toBe(null)
    })

    it('beyond the head is an end and nothing else', async () => {
      const org = await elevenRows(server)
      for (const afterSeq of ['11', '12', '1000000000000000']) {
        const { rows, end } = await linesOf(org, { afterSeq })
        expect([rows, end.nextAfterSeq]).toEqual([[], null])
        expect(stated(org, end)).toMatchObject({ status: 'verified', head: { seq: 11 } })
      }
    })

    it('refuses what nobody can mean, and another organisation', async () => {
      const [org, foreign] = [await elevenRows(server), await elevenRows(server)]
      const bad: [Record<string, string>, string][] = [
        [{ limit: '0' }, 'limit'],
        [{ limit: '1000000000' }, 'limit'],
        [{ limit: 'all' }, 'limit'],
        [{ afterSeq: '-1' }, 'afterSeq'],
        [{ afterSeq: '1.5' }, 'afterSeq'],
        [{ afterSeq: '1e99' }, 'afterSeq'],
        [{ action: 'a\u0000.b' }, 'action'],
        [{ sessionId: 'ses_\u001b[0m' }, 'sessionId'],
        [{ from: '2026-11-20T00:00:00Z', to: '2026-11-19T00:00:00Z' }, 'from'],
        [{ userId: 'usr_1' }, 'userId'],
      ]
      for (const [query, path] of bad) {
        const answer = await ask(org, query)
        expect(answer.status, JSON.stringify(query)).toBe(400)
        expect(((await answer.json()) as { error: { details: { path: string }[] } }).error.details[0]?.path).toBe(path)
      }
      expect((await ask({ ...org, orgId: foreign.orgId })).status).toBe(404)
      expect((await ask(org, { sessionId: 'ses_of_nobody' })).status).toBe(200)
    })

    it('leaves out what was lawfully erased, and still is the chain', async () => {
      const org = await elevenRows(server)
      await server.app.db.transact((tx) =>
        tx.run('DELETE FROM audit_payloads WHERE org_id = ? AND seq < 8', [org.orgId]),
      )
      const { rows, end } = await linesOf(org)
      expect(rows.filter(({ payload }) => payload !== undefined).map(({ row }) => row.seq)).toEqual([8, 9, 10, 11])
      expect(stated(org, end)).toEqual({ status: 'verified', head: { seq: 11, hash: rowHash(rows.at(-1)!.row) } })
    })

    it('signs the head of a chain of which nothing was signed yet', async () => {
      const org = await elevenRows(server)
      const { db, keyring } = server.app
      const kept = 'SELECT size FROM audit_checkpoints WHERE org_id = ?'
      expect(await db.reader.all(kept, [org.orgId])).toEqual([])
      const { checkpoint } = await signedHead({ reader: db.reader, keyring }, org.orgId)
      expect(stated(org, { checkpoint } as EndLine)).toMatchObject({ status: 'verified', head: { seq: 11 } })
    })

    it('signs nothing that an earlier checkpoint contradicts, nor a last row that is not what its hash says', async () => {
      const org = await elevenRows(server)
      await signMovedHeads(server.app)
      const { db, keyring } = server.app
      const head = async () => (await signedHead({ reader: db.reader, keyring }, org.orgId)).checkpoint
      expect(await head()).toContain(`/audit/${org.orgId}`)
      await recompute(server, org.orgId, 3, 'ses_another')
      expect((await linesOf(org)).end.checkpoint).toBe(null)
      expect(await head()).toBe(null)
      const other = await elevenRows(server)
      await tamper(server.app.db, ["UPDATE audit_log SET action = 'x' WHERE org_id = ? AND seq = 11", [other.orgId]])
      expect((await linesOf(other)).end.checkpoint).toBe(null)
    })

    it('to HEAD says what would come', async () => {
      const org = await elevenRows(server)
      const answer = await ask(org, { limit: '4' }, 'HEAD')
      expect(answer.status).toBe(200)
      expect(answer.headers.get('x-service-next-after-seq')).toBe('4')
      expect(await answer.text()).toBe('')
    })

    it('holds a page at a time, and waits for whoever reads slowly', async () => {
      const org = await elevenRows(server)
      await tamper(
        server.app.db,
        ['DELETE FROM audit_payloads WHERE org_id = ?', [org.orgId]],
        ['DELETE FROM audit_log WHERE org_id = ?', [org.orgId]],
      )
      await writeChain(server.app.db, org.orgId, 60_000, server.app.seal)
      const pages: number[] = []
      const { db } = server.app
      const longReader = db.longReader.bind(db)
      const spy = vi.spyOn(db, 'longReader').mockImplementation((owner, onSpent) => {
        const reader = longReader(owner, onSpent)
        const watched: Reader = {
          get: (sql, params) => reader.get(sql, params),
          async all<Row>(sql: string, params?: readonly Param[]) {
            const rows = await reader.all<Row>(sql, params)
            pages.push(rows.length)
            return rows
          },
        }
        return watched
      })
      const answer = await ask(org, { limit: '60000' })
      const reader = answer.body!.getReader()
      await reader.read()
      // A round trip of another request: by then as much was read as fits between the two, and no more.
      for (let n = 0; n < 20; n += 1) await (await ask(org, {}, 'HEAD')).text()
      expect(pages.length).toBeLessThan(100)
      for (;;) if ((await reader.read()).done) break
      spy.mockRestore()
      expect(Math.max(...pages)).toBe(2000)
      expect(pages.reduce((sum, rows) => sum + rows)).toBe(60_000)
    })
  })
