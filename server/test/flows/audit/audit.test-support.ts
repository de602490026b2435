import { genesisHash, rowHash } from '../../../src/kernel/audit/audit.chain.ts'
import { chained } from '../../../src/kernel/audit/audit.digest.ts'
import { addOrg, tamper } from '../../../src/kernel/audit/audit.test-support.ts'
import type { AuditEntry } from '../../../src/kernel/audit/audit.types.ts'
import { readRows } from '../../../src/kernel/audit/audit.verify.store.ts'
import type { AuditActor } from '../../../src/kernel/identity/actor.ts'
import { portalCookie } from '../../test-support/portal.ts'
import type { TestServer } from '../../test-support/server.ts'

let made = 0

export const append = async (
  { app }: TestServer,
  orgId: string,
  entry: AuditEntry,
  actor: AuditActor = { kind: 'system', id: 'system' },
): Promise<void> => app.db.transact((tx) => app.audit.append({ tx, scope: { orgId }, actor }, entry))

/** An organisation whose owner has signed in, which is row 1, and eleven rows in all, the others with a payload. */
export const elevenRows = async (server: TestServer): Promise<{ orgId: string; headers: { cookie: string } }> => {
  made += 1
  const orgId = `org_audited_${made}`
  await addOrg(server.app.db, orgId, server.app.seal)
  const headers = await portalCookie(server, 'owner', orgId)
  for (let n = 2; n <= 11; n += 1)
    await append(server, orgId, {
      action: 'session.created',
      target: `ses_${n}`,
      sessionId: `ses_${n}`,
      payload: { candidateLabel: `Ünï "${n}"`, at: [n, null, { deep: '\u0001\u2028' }] },
    })
  return { orgId, headers }
}

/** What somebody does who has the database's password and this program: every row from `seq` on is hashed again. */
export const recompute = async ({ app }: TestServer, orgId: string, seq: number, target: string): Promise<void> => {
  const rows = await readRows(app.db.reader, orgId, 0, 1000)
  let prevHash = genesisHash
  const statements = rows.map((row) => {
    const anew = { ...chained(row), target: row.seq === seq ? target : row.target, prevHash }
    const hash = rowHash(anew)
    const values = [anew.target, prevHash, hash, orgId, row.seq]
    prevHash = hash
    return ['UPDATE audit_log SET target = ?, prev_hash = ?, hash = ? WHERE org_id = ? AND seq = ?', values] as const
  })
  await tamper(app.db, ...statements, ['UPDATE org_heads SET audit_hash = ? WHERE org_id = ?', [prevHash, orgId]])
}
