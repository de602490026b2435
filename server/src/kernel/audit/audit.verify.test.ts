import { randomBytes } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/test-support/databases.ts'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import type { MigratableDb } from '../../platform/db/dialect.ts'
import type { Param, Reader } from '../../platform/db/types.ts'
import { createManualClock } from '../../platform/manual-clock.test-support.ts'
import { system } from '../identity/actor.ts'
import { checkpointKey } from './audit.checkpoint.ts'
import { createChainSeal } from './audit.seal.ts'
import { addOrg, auditMigrations, tamper, writeChain } from './audit.test-support.ts'
import { createAudit } from './audit.ts'
import { verifyChain } from './audit.verify.ts'

const keyring = createKeyring(randomBytes(32))
const key = checkpointKey(keyring)
const seal = createChainSeal(keyring)
const options = { seal, checkpointKeys: [key.publicKey] }

describeEachDatabase('verifying an audit chain', (open) => {
  let db: MigratableDb
  let orgs = 0
  const clock = createManualClock()
  const audit = createAudit({ clock, keyring })

  beforeAll(async () => {
    db = await open(auditMigrations)
  })

  const newOrg = async (): Promise<string> => {
    const orgId = `org_${++orgs}`
    await addOrg(db, orgId, seal)
    return orgId
  }
  /** An organisation with ten rows, each with a payload. */
  const tenRows = async (): Promise<string> => {
    const orgId = await newOrg()
    for (let n = 1; n <= 10; n++) {
      clock.advance(7)
      await db.transact((tx) =>
        audit.append(
          { tx, scope: { orgId: orgId }, actor: system },
          {
            action: 'session.created',
            target: `ses_${n}`,
            sessionId: `ses_${n}`,
            payload: { candidateLabel: `Ünï "${n}"` },
          },
        ),
      )
    }
    return orgId
  }
  /** Both row by row and, where there are threads that read, by them in pages of which several are under way: the same is found. */
  const verify = async (orgId: string, pageSize = 5000) => {
    const found = await verifyChain(db.reader, orgId, { ...options, pageSize })
    expect(
      await verifyChain(
        db.longReader(orgId, () => undefined),
        orgId,
        { ...options, pageSize },
      ),
    ).toEqual(found)
    return found
  }
  const hashAt = async (orgId: string, seq: number): Promise<string> =>
    (await db.reader.get<{ hash: string }>('SELECT hash FROM audit_log WHERE org_id = ? AND seq = ?', [orgId, seq]))!
      .hash
  const failure = (seq: number, reason: string) => ({ ok: false, rows: seq - 1, firstFailure: { seq, reason } })

  /** The reader, with a word after each page of rows. */
  const watched = (onPage: (sql: string, rows: readonly unknown[]) => Promise<unknown>): Reader => ({
    get: (sql, params) => db.reader.get(sql, params),
    async all<Row>(sql: string, params?: readonly Param[]) {
      const rows = await db.reader.all<Row>(sql, params)
      if (typeof sql === 'string' && sql.includes('audit_log')) await onPage(sql, rows)
      return rows
    },
  })

  it('finds 12,000 rows good, a page at a time and never more', async () => {
    const orgId = await newOrg()
    await writeChain(db, orgId, 12_000, seal)
    const pages: number[] = []
    const reader = watched(async (sql, rows) => {
      expect(sql).not.toMatch(/offset/i)
      pages.push(rows.length)
    })
    const report = await verifyChain(reader, orgId, options)
    expect(report).toMatchObject({ ok: true, rows: 12_000, head: { seq: 12_000, hash: await hashAt(orgId, 12_000) } })
    expect(pages).toEqual([5000, 5000, 2000])
  })

  it('finds rows good that were appended one by one, at any page size', async () => {
    const orgId = await tenRows()
    for (const pageSize of [1, 3, 5, 10, 11])
      expect(await verify(orgId, pageSize)).toMatchObject({ ok: true, rows: 10 })
  })

  it('finds an empty chain good, and refuses an organisation that does not exist', async () => {
    expect(await verify(await newOrg())).toMatchObject({ ok: true, rows: 0, head: { seq: 0, hash: '' } })
    await expect(verify('org_nobody')).rejects.toThrow('org_nobody')
  })

  it.each([
    ['action', 'session.ended'],
    ['at', 1],
    ['actor_kind', 'user'],
    ['actor_id', 'somebody'],
    ['target', 'ses_x'],
    ['session_id', null],
    ['payload_hash', null],
    ['hash', 'f'.repeat(64)],
    ['prev_hash', 'f'.repeat(64)],
  ])('names the row whose %s was altered', async (column, value) => {
    const orgId = await tenRows()
    await tamper(db, [`UPDATE audit_log SET ${column} = ? WHERE org_id = ? AND seq = 6`, [value, orgId]])
    expect(await verify(orgId, 4)).toMatchObject(failure(6, 'altered'))
  })

  it('names the row after one that was rewritten together with its hash', async () => {
    const [orgId, other] = [await tenRows(), await newOrg()]
    await writeChain(db, other, 6, seal)
    await tamper(db, ['UPDATE audit_log SET hash = ? WHERE org_id = ? AND seq = 10', [await hashAt(other, 6), orgId]])
    expect(await verify(orgId)).toMatchObject(failure(10, 'altered'))
  })

  it.each([1, 6])('names row %d when it was deleted', async (seq) => {
    const orgId = await tenRows()
    await tamper(db, ['DELETE FROM audit_log WHERE org_id = ? AND seq = ?', [orgId, seq]])
    expect(await verify(orgId, 4)).toMatchObject(failure(seq, 'missing'))
  })

  it('names the first of two rows that changed places', async () => {
    const orgId = await tenRows()
    const move = (from: number, to: number) =>
      ['UPDATE audit_log SET seq = ? WHERE org_id = ? AND seq = ?', [to, orgId, from]] as const
    await tamper(db, move(4, 100), move(7, 4), move(100, 7))
    expect(await verify(orgId)).toMatchObject(failure(4, 'reordered'))
  })

  it('names the first row that a cut tail lacks', async () => {
    const orgId = await tenRows()
    await tamper(db, ['DELETE FROM audit_log WHERE org_id = ? AND seq > 8', [orgId]])
    expect(await verify(orgId)).toMatchObject(failure(9, 'cut_off'))
    const last = await tenRows()
    await tamper(db, ['DELETE FROM audit_log WHERE org_id = ? AND seq = 10', [last]])
    expect(await verify(last)).toMatchObject(failure(10, 'cut_off'))
  })

  it('names the first row behind the head', async () => {
    const orgId = await tenRows()
    await db.transact(async (tx) => {
      const sql = 'UPDATE org_heads SET audit_seq = 8, audit_hash = ? WHERE org_id = ?'
      await tx.run(sql, [await hashAt(orgId, 8), orgId])
    })
    expect(await verify(orgId)).toMatchObject(failure(9, 'forked'))
  })

  it('names the head when it states another hash', async () => {
    const orgId = await tenRows()
    await db.transact((tx) => tx.run('UPDATE org_heads SET audit_hash = ? WHERE org_id = ?', ['0'.repeat(64), orgId]))
    expect(await verify(orgId)).toMatchObject(failure(10, 'forked'))
    // Where threads read, rows are worked there.
    const inThreads = db.longReader(orgId, () => undefined)
    expect(await verifyChain(inThreads, orgId, options)).toMatchObject(failure(10, 'forked'))
  })

  it('names the head when it states another hash after rows came in meanwhile', async () => {
    const orgId = await tenRows()
    const scope = { orgId }
    const reader = watched((_sql, rows) =>
      db.transact(async (tx) => {
        if (rows.length < 10) return
        await audit.append({ tx, scope, actor: system }, { action: 'session.ended', target: 'ses_1' })
        await tx.run('UPDATE org_heads SET audit_hash = ? WHERE org_id = ?', ['0'.repeat(64), orgId])
      }),
    )
    expect(await verifyChain(reader, orgId, { ...options, pageSize: 10 })).toMatchObject({
      ok: false,
      firstFailure: { seq: 11, reason: 'forked' },
    })
  })

  it('names the row whose payload was altered, and one that was given a payload', async () => {
    const orgId = await tenRows()
    const alter = "UPDATE audit_payloads SET payload = '{}' WHERE org_id = ? AND seq = 5"
    await db.transact((tx) => tx.run(alter, [orgId]))
    expect(await verify(orgId)).toMatchObject(failure(5, 'payload_altered'))
    const bare = await newOrg()
    await writeChain(db, bare, 3, seal)
    const give = "INSERT INTO audit_payloads (org_id, seq, salt, payload) VALUES (?, 2, '00', '{}')"
    await db.transact((tx) => tx.run(give, [bare]))
    expect(await verify(bare)).toMatchObject(failure(2, 'payload_altered'))
  })

  it('finds a chain good whose payloads were erased', async () => {
    const orgId = await tenRows()
    await db.transact((tx) => tx.run('DELETE FROM audit_payloads WHERE org_id = ? AND seq <> 3', [orgId]))
    expect(await verify(orgId)).toMatchObject({ ok: true, rows: 10 })
  })

  it('does not take rows appended meanwhile for a difference', async () => {
    const orgId = await tenRows()
    const again = () =>
      db.transact((tx) =>
        audit.append({ tx, scope: { orgId: orgId }, actor: system }, { action: 'session.ended', target: 'ses_1' }),
      )
    const reader = watched(again)
    expect(await verifyChain(reader, orgId, { ...options, pageSize: 6 })).toMatchObject({ ok: true, rows: 11 })
  })
})
