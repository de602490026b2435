import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/test-support/databases.ts'
import { createKeyring } from '../../platform/crypto/keyring.ts'
import type { MigratableDb } from '../../platform/db/dialect.ts'
import type { Param } from '../../platform/db/types.ts'
import { createManualClock } from '../../platform/manual-clock.test-support.ts'
import { system } from '../identity/actor.ts'
import { genesisHash, rowHash } from './audit.chain.ts'
import { checkpointKey } from './audit.checkpoint.ts'
import { chained } from './audit.digest.ts'
import { createChainSeal } from './audit.seal.ts'
import { addOrg, auditMigrations, tamper } from './audit.test-support.ts'
import { createAudit, sealUnsealed } from './audit.ts'
import { readHead, readRows } from './audit.verify.store.ts'
import { verifyChain } from './audit.verify.ts'

const keyring = createKeyring(randomBytes(32))
const seal = createChainSeal(keyring)
const head = { seq: 3, hash: 'ab'.repeat(32), signed: 2 }

describe('the seal of a head', () => {
  it('holds for that head of that organisation under that master key, and for nothing else', () => {
    const sealed = seal.seal('org_1', head)
    expect(seal.holds('org_1', sealed)).toBe(true)
    expect(seal.holds('org_2', sealed)).toBe(false)
    for (const change of [{ seq: 4 }, { hash: 'cd'.repeat(32) }, { signed: 0 }, { mac: '' }, { mac: 'é'.repeat(64) }])
      expect(seal.holds('org_1', { ...sealed, ...change })).toBe(false)
    expect(createChainSeal(createKeyring(randomBytes(32))).holds('org_1', sealed)).toBe(false)
  })

  it('is not given again to a chain that went on from a head without it', () => {
    const forged = { ...seal.seal('org_1', head), seq: 2 }
    const next = seal.follow('org_1', forged, { ...head, seq: 3 })
    expect(next.mac).toBe('unsealed:2')
    expect(seal.follow('org_1', next, { ...head, seq: 4 }).mac).toBe('unsealed:2')
  })
})

describeEachDatabase('a chain that somebody rewrote who has the whole database', (open) => {
  let db: MigratableDb
  let made = 0
  const audit = createAudit({ clock: createManualClock(), keyring })
  const append = (orgId: string, by = audit) =>
    db.transact((tx) =>
      by.append({ tx, scope: { orgId }, actor: system }, { action: 'session.created', target: 'ses_1' }),
    )
  const rowsOf = (orgId: string) => readRows(db.reader, orgId, 0, 100)
  const verify = (orgId: string) =>
    verifyChain(db.reader, orgId, { seal, checkpointKeys: [checkpointKey(keyring).publicKey] })
  const eight = async () => {
    const orgId = `org_${++made}`
    await addOrg(db, orgId, seal)
    for (let n = 0; n < 8; n++) await append(orgId)
    return orgId
  }
  type Statement = readonly [string, readonly Param[]]
  const headAt = (orgId: string, seq: number, hash: string): Statement => [
    'UPDATE org_heads SET audit_seq = ?, audit_hash = ? WHERE org_id = ?',
    [seq, hash, orgId],
  ]
  const cut = async (orgId: string) => {
    const rows = await rowsOf(orgId)
    await tamper(db, ['DELETE FROM audit_log WHERE org_id = ? AND seq > 5', [orgId]], headAt(orgId, 5, rows[4]!.hash))
  }
  const recompute = async (orgId: string) => {
    let prevHash = genesisHash
    const statements = (await rowsOf(orgId)).map((row): Statement => {
      const hash = rowHash({ ...chained(row), target: 'ses_other', prevHash })
      const values = ['ses_other', prevHash, hash, orgId, row.seq]
      prevHash = hash
      return ['UPDATE audit_log SET target = ?, prev_hash = ?, hash = ? WHERE org_id = ? AND seq = ?', values]
    })
    await tamper(db, ...statements, headAt(orgId, 8, prevHash))
  }
  const empty = (orgId: string) => tamper(db, ['DELETE FROM audit_log WHERE org_id = ?', [orgId]], headAt(orgId, 0, ''))
  const attacks = { cut: [cut, 5], recompute: [recompute, 8], empty: [empty, 1] } as const

  beforeAll(async () => {
    db = await open(auditMigrations)
  })

  for (const [name, [attack, seq]] of Object.entries(attacks))
    it(`is named at row ${seq} after: ${name}, with its head put back`, async () => {
      const orgId = await eight()
      await attack(orgId)
      expect(await verify(orgId)).toMatchObject({ ok: false, firstFailure: { seq, reason: 'unsealed' } })
      await db.transact((tx) => tx.run("UPDATE org_heads SET audit_mac = '' WHERE org_id = ?", [orgId]))
      expect(await verify(orgId)).toMatchObject({ ok: false, firstFailure: { seq, reason: 'unsealed' } })
    })

  it('stays named after rows that a server appends later, by the row that it went on from', async () => {
    for (const [attack, seq] of [
      [cut, 5],
      [empty, 1],
    ] as const) {
      const orgId = await eight()
      await attack(orgId)
      await append(orgId)
      await append(orgId, createAudit({ clock: createManualClock(), keyring }))
      expect(await verify(orgId)).toMatchObject({ ok: false, firstFailure: { seq, reason: 'unsealed' } })
    }
  })

  it('holds again for none of the keys that somebody else could choose', async () => {
    const orgId = await eight()
    const { hash } = (await rowsOf(orgId))[4]!
    await cut(orgId)
    const { mac } = createChainSeal(createKeyring(randomBytes(32))).seal(orgId, { seq: 5, hash, signed: 0 })
    await db.transact((tx) => tx.run('UPDATE org_heads SET audit_mac = ? WHERE org_id = ?', [mac, orgId]))
    expect(await verify(orgId)).toMatchObject({ ok: false, firstFailure: { seq: 5, reason: 'unsealed' } })
  })

  it('is sealed as it stands where it is older than the seals', async () => {
    const orgId = await eight()
    await db.transact((tx) => tx.run("UPDATE org_heads SET audit_mac = '' WHERE org_id = ?", [orgId]))
    expect(await sealUnsealed(db, seal)).toBeGreaterThan(0)
    expect(await sealUnsealed(db, seal)).toBe(0)
    expect(await verify(orgId)).toMatchObject({ ok: true, rows: 8 })
    await append(orgId)
    expect(seal.holds(orgId, (await readHead(db.reader, orgId))!)).toBe(true)
  })
})
