import { beforeAll, expect, it } from 'vitest'
import { describeEachDatabase } from '../../../../../test/test-support/databases.ts'
import { insertRow } from '../../../../../test/test-support/session-row.ts'
import { addOrg } from '../../../../kernel/audit/audit.test-support.ts'
import { migrations } from '../../../../migrations/index.ts'
import type { MigratableDb } from '../../../../platform/db/dialect.ts'
import { findRevokedAt, insertCredential, revokeCredential } from './credentials.store.ts'
import { findFirstUse, insertTicket, useTicket } from './joining.store.ts'

const scope = { orgId: 'org_1', environment: 'live' } as const

describeEachDatabase('the statements about codes and credentials', (open) => {
  let db: MigratableDb
  beforeAll(async () => {
    db = await open(migrations)
    await addOrg(db, scope.orgId)
    await insertRow(db, scope, 'ses_1')
  })

  it('use a code once, and tell the first use of each role', async () => {
    const sessionId = 'ses_1'
    await db.transact(async (tx) => {
      for (const role of ['candidate', 'companion'] as const)
        await insertTicket(tx, scope, { id: `jtk_${role}`, sessionId, role, codeHash: role, expiresAt: 100 }, 1)
    })
    const use = (role: string, at: number) => db.transact((tx) => useTicket(tx, scope, `jtk_${role}`, at))
    expect(await use('companion', 5)).toBe(true)
    expect(await findFirstUse(db.reader, scope, sessionId, 'candidate')).toBeNull()
    expect(await use('candidate', 7)).toBe(true)
    expect(await use('candidate', 9)).toBe(false)
    expect(await findFirstUse(db.reader, scope, sessionId, 'candidate')).toBe(7)
  })

  it('end a credential once; when that was stays', async () => {
    const credential = { id: 'crd_1', sessionId: 'ses_1', kind: 'agent', tokenHash: 'hash', label: null } as const
    await db.transact((tx) => insertCredential(tx, scope, credential, 1))
    const revoke = (at: number) => db.transact((tx) => revokeCredential(tx, scope, credential.id, at))
    expect(await revoke(5)).toBe(true)
    expect(await revoke(9)).toBe(false)
    expect(await findRevokedAt(db.reader, scope, credential.id)).toBe(5)
  })
})
