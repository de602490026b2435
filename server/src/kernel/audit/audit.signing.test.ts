import { randomBytes } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/test-support/databases.ts'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import type { MigratableDb } from '../../platform/db/dialect.ts'
import type { Param } from '../../platform/db/types.ts'
import { createManualClock } from '../../platform/manual-clock.test-support.ts'
import { system } from '../identity/actor.ts'
import { readCheckpoints } from './audit.checkpoint.store.ts'
import { checkpointKey, signCheckpoint } from './audit.checkpoint.ts'
import { createChainSeal } from './audit.seal.ts'
import { addOrg, auditMigrations, tamper } from './audit.test-support.ts'
import { type Announced, createAudit } from './audit.ts'
import { verifyChain } from './audit.verify.ts'

type Statement = readonly [string, readonly Param[]]

describeEachDatabase('kept checkpoints', (open) => {
  let db: MigratableDb
  let made = 0
  const clock = createManualClock()
  const keyring = createKeyring(randomBytes(32))
  const stranger = createKeyring(randomBytes(32))
  const seal = createChainSeal(keyring)
  const announced: Announced[] = []
  const audit = createAudit({ clock, keyring, announce: (checkpoint) => announced.push(checkpoint) })
  const own = checkpointKey(keyring)

  beforeAll(async () => {
    db = await open(auditMigrations)
  })

  const append = (orgId: string) =>
    db.transact((tx) =>
      audit.append({ tx, scope: { orgId }, actor: system }, { action: 'session.created', target: 'ses_1' }),
    )
  const sign = (orgId: string, by = audit) => db.transact((tx) => by.sign(tx, orgId))
  const kept = (orgId: string) => readCheckpoints(db.reader, orgId, { after: 0, upTo: 1e9, limit: 100 })
  const hashAt = async (orgId: string, seq: number) =>
    (await db.reader.get<{ hash: string }>('SELECT hash FROM audit_log WHERE org_id = ? AND seq = ?', [orgId, seq]))!
      .hash
  const verify = (orgId: string, more: { keys?: readonly (typeof own)[]; now?: number } = {}) => {
    const checkpointKeys = (more.keys ?? [own]).map(({ publicKey }) => publicKey)
    const now = more.now === undefined ? {} : { now: more.now }
    return verifyChain(db.reader, orgId, { seal, checkpointKeys, pageSize: 2, ...now })
  }
  const failure = (seq: number, reason: string) => ({ ok: false, rows: seq - 1, firstFailure: { seq, reason } })
  /** Nine rows, of which 3, 6 and 8 were signed. */
  const signedChain = async () => {
    const orgId = `org_${++made}`
    await addOrg(db, orgId, seal)
    for (let seq = 1; seq <= 9; seq++) {
      await append(orgId)
      if ([3, 6, 8].includes(seq)) await sign(orgId)
    }
    return orgId
  }
  /** Puts another note in the place of a kept one. */
  const put = (orgId: string, size: number, note: string, mac: string): Statement => [
    'UPDATE audit_checkpoints SET note = ?, mac = ? WHERE org_id = ? AND size = ?',
    [note, mac, orgId, size],
  ]

  it('state the chain and the one before, are told of once, and are not made twice of one head', async () => {
    const orgId = await signedChain()
    await sign(orgId)
    await sign(orgId)
    const all = await kept(orgId)
    expect(all.map(({ size, previous }) => [size, previous])).toEqual([
      [3, 0],
      [6, 3],
      [8, 6],
      [9, 8],
    ])
    const told = announced.filter((one) => one.orgId === orgId)
    expect(told).toEqual(all.map(({ size, note }) => ({ orgId, size, note })))
    expect(await verify(orgId)).toMatchObject({ ok: true, rows: 9, checkpoints: 4 })
  })

  it('come one after the other when several processes sign at once', async () => {
    const orgId = await signedChain()
    const elsewhere = createAudit({ clock, keyring })
    await Promise.all([sign(orgId), sign(orgId, elsewhere), append(orgId), sign(orgId, elsewhere), sign(orgId)])
    expect(await verify(orgId)).toMatchObject({ ok: true, rows: 10 })
  })

  it.each([3, 6, 8])('are named when the one of row %d was deleted', async (size) => {
    const orgId = await signedChain()
    await tamper(db, ['DELETE FROM audit_checkpoints WHERE org_id = ? AND size = ?', [orgId, size]])
    expect(await verify(orgId)).toMatchObject(failure(size, 'checkpoint_missing'))
  })

  it('are named when all were deleted, after the next one was made too', async () => {
    const orgId = await signedChain()
    await tamper(db, ['DELETE FROM audit_checkpoints WHERE org_id = ?', [orgId]])
    expect(await verify(orgId)).toMatchObject(failure(8, 'checkpoint_missing'))
    await sign(orgId)
    expect(await verify(orgId)).toMatchObject(failure(8, 'checkpoint_missing'))
  })

  it('are named when another key signed one, unless the operator names that key', async () => {
    const orgId = await signedChain()
    const other = checkpointKey(stranger)
    const note = signCheckpoint(other, orgId, { seq: 6, hash: await hashAt(orgId, 6) })
    const mac = seal.link(orgId, { size: 6, previous: 3, note })
    await tamper(db, put(orgId, 6, note, mac))
    expect(await verify(orgId)).toMatchObject(failure(6, 'checkpoint_foreign'))
    expect(await verify(orgId, { keys: [own, other] })).toMatchObject({ ok: true })
  })

  it('are named when somebody else wrote one down, even with a note that was signed here', async () => {
    const orgId = await signedChain()
    const note = signCheckpoint(own, orgId, { seq: 7, hash: await hashAt(orgId, 7) })
    for (const mac of ['', 'f'.repeat(64)]) {
      const insert = 'INSERT INTO audit_checkpoints (org_id, size, note, at, previous, mac) VALUES (?, 7, ?, 1, 6, ?)'
      await tamper(
        db,
        ['DELETE FROM audit_checkpoints WHERE org_id = ? AND size = 7', [orgId]],
        [insert, [orgId, note, mac]],
      )
      expect(await verify(orgId)).toMatchObject(failure(7, 'checkpoint_foreign'))
    }
  })

  it('are named when one states another row, another place, or its signature does not hold', async () => {
    const good = signCheckpoint(own, 'org_x', { seq: 6, hash: 'a'.repeat(64) })
    for (const change of [
      async (orgId: string) => signCheckpoint(own, orgId, { seq: 6, hash: await hashAt(orgId, 5) }),
      async (orgId: string) => signCheckpoint(own, orgId, { seq: 5, hash: await hashAt(orgId, 5) }),
      async (orgId: string) => {
        const note = signCheckpoint(own, orgId, { seq: 6, hash: await hashAt(orgId, 6) })
        return `${note.slice(0, note.indexOf('\n\n'))}${good.slice(good.indexOf('\n\n')).replace('org_x', orgId)}`
      },
    ]) {
      const orgId = await signedChain()
      await tamper(db, put(orgId, 6, await change(orgId), ''))
      const { ok, ...found } = await verify(orgId)
      expect([ok, found]).toMatchObject([false, { firstFailure: { seq: 6 } }])
    }
  })

  it('show a cut tail whose head was put back, by the row that is gone', async () => {
    const orgId = await signedChain()
    await tamper(
      db,
      ['DELETE FROM audit_log WHERE org_id = ? AND seq > 7', [orgId]],
      ['UPDATE org_heads SET audit_seq = 7, audit_hash = ? WHERE org_id = ?', [await hashAt(orgId, 7), orgId]],
    )
    expect(await verify(orgId)).toMatchObject(failure(8, 'cut_off'))
    announced.length = 0
    await sign(orgId)
    expect(announced).toEqual([{ orgId, size: 7 }])
    expect(await kept(orgId)).toHaveLength(3)
  })

  it('are due within minutes of the first row', async () => {
    const orgId = `org_${++made}`
    await addOrg(db, orgId, seal)
    await append(orgId)
    expect(await verify(orgId, { now: clock.now() + 300_000 })).toMatchObject({ ok: true })
    expect(await verify(orgId, { now: clock.now() + 300_001 })).toMatchObject(failure(1, 'checkpoint_missing'))
    await sign(orgId)
    expect(await verify(orgId, { now: clock.now() + 300_001 })).toMatchObject({ ok: true })
  })

  const replacing =
    'INTO audit_checkpoints (org_id, size, note, at, previous, mac) SELECT org_id, size, note, 1, previous, mac FROM audit_checkpoints WHERE org_id = ?'
  const replacingRow =
    "INTO audit_log SELECT org_id, seq, at, actor_kind, actor_id, action, 'x', session_id, payload_hash, prev_hash, hash FROM audit_log WHERE org_id = ?"
  const sqls: Readonly<Record<string, string>> = {
    UPDATE: 'UPDATE audit_checkpoints SET at = 1 WHERE org_id = ?',
    DELETE: 'DELETE FROM audit_checkpoints WHERE org_id = ?',
    REPLACE: `INSERT OR REPLACE ${replacing}`,
    'REPLACE of rows': `INSERT OR REPLACE ${replacingRow}`,
    UPSERT: `INSERT ${replacing} AND true ON CONFLICT (org_id, size) DO UPDATE SET at = 1`,
  }
  for (const [verb, sql] of Object.entries(sqls))
    it(`refuse ${verb} through SQL`, async () => {
      const orgId = await signedChain()
      // Only SQLite knows the word; there is no statement of that kind to refuse elsewhere.
      const refusal = verb.startsWith('REPLACE') && db.dialect.engine === 'postgres' ? /syntax/ : /append-only/
      await expect(db.transact((tx) => tx.run(sql, [orgId]))).rejects.toThrow(refusal)
      expect(await verify(orgId)).toMatchObject({ ok: true, checkpoints: 3 })
    })
})
