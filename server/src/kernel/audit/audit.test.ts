import { randomBytes } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/test-support/databases.ts'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import type { MigratableDb } from '../../platform/db/dialect.ts'
import type { Tx } from '../../platform/db/types.ts'
import { createManualClock } from '../../platform/manual-clock.test-support.ts'
import { system } from '../identity/actor.ts'
import { checkpointKey } from './audit.checkpoint.ts'
import { createChainSeal } from './audit.seal.ts'
import { addOrg, auditMigrations } from './audit.test-support.ts'
import { createAudit } from './audit.ts'
import { verifyChain } from './audit.verify.ts'

describeEachDatabase('appending to the audit chain', (open) => {
  let db: MigratableDb
  let other: MigratableDb
  const clock = createManualClock()
  const keyring = createKeyring(randomBytes(32))
  const seal = createChainSeal(keyring)
  const audit = createAudit({ clock, keyring })
  // Another process of the same database.
  const elsewhere = createAudit({ clock, keyring })
  const options = { seal, checkpointKeys: [checkpointKey(keyring).publicKey] }

  beforeAll(async () => {
    db = await open(auditMigrations)
    other = await open(auditMigrations)
  })

  const append = (tx: Tx, orgId: string, target: string, by = audit) =>
    by.append(
      { tx, scope: { orgId: orgId }, actor: system },
      { action: 'session.created', target, payload: { target } },
    )
  const chain = (orgId: string) =>
    db.reader.all<{ seq: number; target: string }>('SELECT seq, target FROM audit_log WHERE org_id = ? ORDER BY seq', [
      orgId,
    ])

  it('gives a gapless chain to fifty transactions at once, of two processes', async () => {
    await addOrg(db, 'org_many', seal)
    const targets = Array.from({ length: 50 }, (_, n) => `t${n}`)
    await Promise.all(
      targets.map((target, n) =>
        n % 2
          ? db.transact((tx) => append(tx, 'org_many', target))
          : other.transact((tx) => append(tx, 'org_many', target, elsewhere)),
      ),
    )
    const rows = await chain('org_many')
    expect(rows.map((row) => row.seq)).toEqual(targets.map((_, n) => n + 1))
    expect(rows.map((row) => row.target).sort()).toEqual(targets.sort())
    expect(await verifyChain(db.reader, 'org_many', options)).toMatchObject({ ok: true, rows: 50 })
  })

  it('leaves no hole where a transaction was rolled back among others', async () => {
    await addOrg(db, 'org_rolled', seal)
    const work = Array.from({ length: 20 }, (_, n) =>
      db.transact(async (tx) => {
        await append(tx, 'org_rolled', `t${n}`)
        if (n % 4 === 1) throw new Error('refused')
      }),
    )
    const refused = (await Promise.allSettled(work)).filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(5)
    expect((await chain('org_rolled')).map((row) => row.seq)).toEqual(Array.from({ length: 15 }, (_, n) => n + 1))
    expect(await verifyChain(db.reader, 'org_rolled', options)).toMatchObject({ ok: true, rows: 15 })
  })

  it('takes several rows in one transaction, and keeps the chains of organisations apart', async () => {
    await addOrg(db, 'org_a', seal)
    await addOrg(db, 'org_b', seal)
    await db.transact(async (tx) => {
      for (const orgId of ['org_a', 'org_b', 'org_a']) await append(tx, orgId, orgId)
    })
    expect((await chain('org_a')).map((row) => row.seq)).toEqual([1, 2])
    expect((await chain('org_b')).map((row) => row.seq)).toEqual([1])
    for (const orgId of ['org_a', 'org_b']) expect((await verifyChain(db.reader, orgId, options)).ok).toBe(true)
  })

  it('takes many entries at once, in their order, among single ones of two processes', async () => {
    await addOrg(db, 'org_batches', seal)
    const several = (of: MigratableDb, name: string, count: number) =>
      of.transact((tx) =>
        audit.appendAll(
          { tx, scope: { orgId: 'org_batches' } },
          Array.from({ length: count }, (_, n) => ({
            actor: system,
            action: 'session.created',
            target: `${name} "${n}" \\ \n ü`,
            sessionId: n % 2 ? `ses_${n}` : null,
            ...(n % 3 === 1 && { payload: { n } }),
          })),
        ),
      )
    await several(db, 'first', 3)
    await several(db, 'nothing', 0)
    await Promise.all(
      Array.from({ length: 12 }, (_, n) => [
        several(n % 2 ? db : other, `b${n}`, 5),
        (n % 2 ? other : db).transact((tx) => append(tx, 'org_batches', `s${n}`)),
      ]).flat(),
    )
    const rows = await chain('org_batches')
    expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: 75 }, (_, n) => n + 1))
    expect(rows.slice(0, 3).map((row) => row.target)).toEqual([0, 1, 2].map((n) => `first "${n}" \\ \n ü`))
    for (let n = 0; n < 12; n += 1) {
      const own = rows.filter((row) => row.target.startsWith(`b${n} `))
      expect(own.map((row) => row.seq)).toEqual(own.map((_, k) => (own[0]?.seq ?? 0) + k))
      expect(own.map((row) => row.target)).toEqual([0, 1, 2, 3, 4].map((k) => `b${n} "${k}" \\ \n ü`))
    }
    expect(await verifyChain(db.reader, 'org_batches', options)).toMatchObject({ ok: true, rows: 75 })
    const payloads = "SELECT count(*) AS n FROM audit_payloads WHERE org_id = 'org_batches'"
    expect(await db.reader.get(payloads)).toEqual({ n: 1 + 12 * 2 + 12 })
  })

  it('refuses an organisation without a chain', async () => {
    await expect(db.transact((tx) => append(tx, 'org_nobody', 'x'))).rejects.toThrow('org_nobody')
    const entry = { actor: system, action: 'session.created', target: 'x' } as const
    await expect(
      db.transact((tx) => audit.appendAll({ tx, scope: { orgId: 'org_nobody' } }, [entry, entry])),
    ).rejects.toThrow('org_nobody')
  })

  it.each([
    ['UPDATE', "UPDATE audit_log SET target = 'x' WHERE org_id = ?"],
    ['DELETE', 'DELETE FROM audit_log WHERE org_id = ?'],
    ['UPDATE of the key', 'UPDATE audit_log SET seq = seq + 100 WHERE org_id = ?'],
  ])('refuses %s of a row through SQL', async (_verb, sql) => {
    const orgId = `org_fixed_${sql.length}`
    await addOrg(db, orgId, seal)
    await db.transact((tx) => append(tx, orgId, 'kept'))
    await expect(db.transact((tx) => tx.run(sql, [orgId]))).rejects.toThrow(/append-only/)
    expect(await chain(orgId)).toEqual([{ seq: 1, target: 'kept' }])
  })

  it('lets a payload be erased', async () => {
    await addOrg(db, 'org_erased', seal)
    await db.transact((tx) => append(tx, 'org_erased', 'x'))
    const { changes } = await db.transact((tx) => tx.run('DELETE FROM audit_payloads WHERE org_id = ?', ['org_erased']))
    expect(changes).toBe(1)
    expect((await verifyChain(db.reader, 'org_erased', options)).ok).toBe(true)
  })
})
