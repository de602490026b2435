import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase } from '../../../../test/test-support/databases.ts'
import { rowHash } from '../../../kernel/audit/audit.chain.ts'
import {
  checkpointKey,
  parseVerifierKey,
  signCheckpoint,
  verifyCheckpoint,
} from '../../../kernel/audit/audit.checkpoint.ts'
import { createChainSeal } from '../../../kernel/audit/audit.seal.ts'
import { addOrg, tamper } from '../../../kernel/audit/audit.test-support.ts'
import { verifyConsistency, verifyInclusion } from '../../../kernel/audit/audit.tree.ts'
import { createAudit } from '../../../kernel/audit/audit.ts'
import { system } from '../../../kernel/identity/actor.ts'
import { migrations } from '../../../migrations/index.ts'
import { createKeyring } from '../../../platform/crypto/keyring.ts'
import { migrateUp } from '../../../platform/db/migrate.ts'
import { openSqlite } from '../../../platform/db/sqlite/sqlite.db.ts'
import { createManualClock } from '../../../platform/manual-clock.test-support.ts'
import { proveGrowth, proveRow, verifyAgainst } from './audit.proof.service.ts'

describe('proofs of an audit chain', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let db: ReturnType<typeof openSqlite>
  const clock = createManualClock()
  const keyring = createKeyring(randomBytes(32))
  const seal = createChainSeal(keyring)
  const audit = createAudit({ clock, keyring })
  const key = checkpointKey(keyring)
  const app = () => ({ db, keyring, seal, clock, audit })

  beforeAll(async () => {
    database = await freshDatabase('sqlite')
    db = openSqlite({ file: database.file })
    await migrateUp(db, migrations)
  })
  afterAll(async () => {
    await db.close()
    await database.drop()
  })

  const chainOf = async (orgId: string, rows: number) => {
    await addOrg(db, orgId, seal)
    for (let n = 0; n < rows; n++)
      await db.transact((tx) =>
        audit.append({ tx, scope: { orgId }, actor: system }, { action: 'session.created', target: `ses_${n}` }),
      )
  }
  const hashAt = async (orgId: string, seq: number) =>
    (await db.reader.get<{ hash: string }>('SELECT hash FROM audit_log WHERE org_id = ? AND seq = ?', [orgId, seq]))!
      .hash
  const bytes = (all: readonly string[]) => all.map((one) => Buffer.from(one, 'base64'))
  /** A signed tree, read with nothing but what the proof carries. */
  const opened = (orgId: string, { checkpoint, verifierKey }: { checkpoint: string; verifierKey: string }) => {
    const reading = verifyCheckpoint([parseVerifierKey(verifierKey)!], orgId, checkpoint, 'tree')
    if (reading.status !== 'verified') throw new Error(reading.status)
    return { size: reading.head.seq, root: Buffer.from(reading.head.hash, 'hex') }
  }

  it('show that a row is in it, of all its rows or of the first ones', async () => {
    await chainOf('org_rows', 11)
    for (const [row, size] of [
      [1, 11],
      [11, 11],
      [6, 7],
      [1, 1],
    ] as const) {
      const proof = await proveRow(app(), { orgId: 'org_rows', row, size })
      const { root, size: signed } = opened('org_rows', proof)
      expect([proof.row.seq, proof.treeSize, signed]).toEqual([row, size, size])
      expect(rowHash(proof.row)).toBe(proof.hash)
      const leaf = Buffer.from(rowHash(proof.row), 'hex')
      expect(verifyInclusion(leaf, { index: proof.leafIndex, size, path: bytes(proof.path), root })).toBe(true)
    }
    for (const wrong of [{ row: 0 }, { row: 12 }, { row: Number.NaN }, { row: 3, size: 2 }, { row: 1, size: 12 }])
      await expect(proveRow(app(), { orgId: 'org_rows', ...wrong })).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(proveRow(app(), { orgId: 'org_nobody', row: 1 })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('show that it only grew', async () => {
    await chainOf('org_grown', 9)
    const { first, second, proof } = await proveGrowth(app(), { orgId: 'org_grown', from: 5 })
    expect(verifyConsistency(opened('org_grown', first), opened('org_grown', second), bytes(proof))).toBe(true)
    expect([first.treeSize, second.treeSize]).toEqual([5, 9])
    await expect(proveGrowth(app(), { orgId: 'org_grown', from: 10 })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  it('are not signed of a chain that is broken', async () => {
    await chainOf('org_broken', 4)
    await tamper(db, ["UPDATE audit_log SET target = 'x' WHERE org_id = 'org_broken' AND seq = 3", []])
    await expect(proveRow(app(), { orgId: 'org_broken', row: 1 })).rejects.toThrow(/broken at row 3, .*: altered/)
  })

  it('hold a chain against checkpoints that somebody kept, and name the row where it is another', async () => {
    await chainOf('org_kept', 8)
    const { checkpoint } = await proveRow(app(), { orgId: 'org_kept', row: 1, size: 5 })
    const chain = signCheckpoint(key, 'org_kept', { seq: 3, hash: await hashAt('org_kept', 3) })
    const against = (text: string) => verifyAgainst(app(), { orgId: 'org_kept', text })
    expect(await against(`${chain}${checkpoint}`)).toMatchObject({ ok: true, rows: 8, against: 2 })
    expect(await against(`a log line\n\n${chain.replaceAll('\n', '\r\n')}\r\nmore\r\n`)).toMatchObject({
      ok: true,
      against: 1,
    })
    const failure = (seq: number, reason: string) => ({
      ok: false,
      rows: Math.min(8, seq - 1),
      firstFailure: { seq, reason },
    })
    const other = { hash: 'ab'.repeat(32) }
    expect(await against(signCheckpoint(key, 'org_kept', { ...other, seq: 4 }))).toMatchObject(failure(4, 'forked'))
    expect(await against(signCheckpoint(key, 'org_kept', { ...other, seq: 4 }, 'tree'))).toMatchObject(
      failure(4, 'forked'),
    )
    expect(await against(signCheckpoint(key, 'org_kept', { ...other, seq: 9 }))).toMatchObject(failure(9, 'cut_off'))
    const stranger = checkpointKey(createKeyring(randomBytes(32)))
    const foreign = signCheckpoint(stranger, 'org_kept', { seq: 3, hash: await hashAt('org_kept', 3) })
    expect(await against(foreign)).toMatchObject(failure(3, 'checkpoint_foreign'))
    expect(
      await verifyAgainst(app(), { orgId: 'org_kept', text: foreign, earlierKeys: [stranger.publicKey] }),
    ).toMatchObject({
      ok: true,
    })
    for (const text of ['', 'nothing\n', signCheckpoint(key, 'org_rows', { ...other, seq: 4 })])
      await expect(against(text)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('show a whole database that was put back, against what was kept outside', async () => {
    await chainOf('org_back', 6)
    const note = signCheckpoint(key, 'org_back', { seq: 6, hash: await hashAt('org_back', 6) })
    const head = seal.seal('org_back', { seq: 4, hash: await hashAt('org_back', 4), signed: 0 })
    await tamper(
      db,
      ["DELETE FROM audit_log WHERE org_id = 'org_back' AND seq > 4", []],
      [
        "UPDATE org_heads SET audit_seq = 4, audit_hash = ?, audit_mac = ? WHERE org_id = 'org_back'",
        [head.hash, head.mac],
      ],
    )
    expect(await verifyAgainst(app(), { orgId: 'org_back', text: note })).toMatchObject({
      firstFailure: { seq: 5, reason: 'cut_off' },
    })
  })
})
