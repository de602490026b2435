import { randomBytes } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../../test/test-support/databases.ts'
import { readCheckpoints } from '../../../kernel/audit/audit.checkpoint.store.ts'
import { createChainSeal } from '../../../kernel/audit/audit.seal.ts'
import { addOrg, auditMigrations, tamper } from '../../../kernel/audit/audit.test-support.ts'
import { createAudit } from '../../../kernel/audit/audit.ts'
import { system } from '../../../kernel/identity/actor.ts'
import { createJobWorker } from '../../../kernel/jobs/job-worker.ts'
import type { Parts } from '../../../kernel/parts.ts'
import { createKeyring } from '../../../platform/crypto/keyring.ts'
import type { MigratableDb } from '../../../platform/db/dialect.ts'
import { createLog } from '../../../platform/log/log.ts'
import { createManualClock } from '../../../platform/manual-clock.test-support.ts'
import { noTraces } from '../../../platform/traces/traces.ts'
import { auditJobs } from './audit.jobs.ts'
import { signMovedHeads, verifyAudit } from './audit.service.ts'

const hour = 3_600_000

describeEachDatabase('checkpoints of the audit chains', (open) => {
  let db: MigratableDb
  const clock = createManualClock()
  const keyring = createKeyring(randomBytes(32))
  const seal = createChainSeal(keyring)
  const audit = createAudit({ clock, keyring })
  const parts = () => ({ db, keyring, seal, clock, audit })

  beforeAll(async () => {
    db = await open(auditMigrations)
  })

  const append = (orgId: string) =>
    db.transact((tx) =>
      audit.append({ tx, scope: { orgId: orgId }, actor: system }, { action: 'session.created', target: 'ses_1' }),
    )
  const sizes = async (orgId: string): Promise<number[]> =>
    (await readCheckpoints(db.reader, orgId, { after: 0, upTo: 1e9, limit: 100 })).map((checkpoint) => checkpoint.size)

  it('are made by the hourly job for every chain that moved, and for no other', async () => {
    const app = { ...parts(), traces: noTraces, log: createLog({ level: 'silent' }) } as unknown as Parts
    const jobs = createJobWorker(app, { definitions: auditJobs, processId: 'p1' })
    for (const orgId of ['org_busy', 'org_quiet', 'org_empty']) await addOrg(db, orgId, seal)
    for (const orgId of ['org_busy', 'org_busy', 'org_quiet']) await append(orgId)
    await jobs.processAll()
    await append('org_busy')
    clock.advance(hour - 1)
    await jobs.processAll()
    expect(await sizes('org_busy')).toEqual([2])
    clock.advance(1)
    await jobs.processAll()
    clock.advance(hour)
    await jobs.processAll()
    await jobs.stop()
    expect(await sizes('org_busy')).toEqual([2, 3])
    expect(await sizes('org_quiet')).toEqual([1])
    expect(await sizes('org_empty')).toEqual([])
    expect(await verifyAudit(parts(), { orgId: 'org_busy' })).toMatchObject({ ok: true, checkpoints: 2 })
  })

  it('reach every organisation, however many there are', async () => {
    const orgIds = Array.from({ length: 203 }, (_, n) => `org_page_${n}`)
    for (const orgId of orgIds) {
      await addOrg(db, orgId, seal)
      await append(orgId)
    }
    expect(await signMovedHeads(parts())).toBe(203)
    expect(await signMovedHeads(parts())).toBe(0)
    for (const orgId of orgIds) expect(await sizes(orgId)).toEqual([1])
  })

  it('stop between pages when the process must', async () => {
    await expect(signMovedHeads(parts(), { signal: AbortSignal.abort(new Error('stopping')) })).rejects.toThrow(
      'stopping',
    )
  })

  it('show a chain that was cut and its head put back', async () => {
    await addOrg(db, 'org_cut', seal)
    await append('org_cut')
    const head = await verifyAudit(parts(), { orgId: 'org_cut' })
    await append('org_cut')
    await signMovedHeads(parts())
    if (!head.ok) throw new Error('the chain was not good to begin with')
    await tamper(
      db,
      ["DELETE FROM audit_log WHERE org_id = 'org_cut' AND seq = 2", []],
      ["UPDATE org_heads SET audit_seq = 1, audit_hash = ? WHERE org_id = 'org_cut'", [head.head.hash]],
    )
    const firstFailure = { seq: 2, reason: 'cut_off' }
    expect(await verifyAudit(parts(), { orgId: 'org_cut', pageSize: 1 })).toMatchObject({
      ok: false,
      rows: 1,
      firstFailure,
    })
  })
})
