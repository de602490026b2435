import { migrations } from '../../migrations/index.ts'
import type { MigratableDb } from '../../platform/db/dialect.ts'
import type { ColumnSpec, Param } from '../../platform/db/types.ts'
import { type AuditRow, genesisHash, rowHash } from './audit.chain.ts'
import type { ChainSeal } from './audit.seal.ts'
import { updateHead } from './audit.store.ts'

/** The migrations the audit chain needs. */
export const auditMigrations = migrations

/** An organisation with an empty chain, sealed where the test verifies it. */
export const addOrg = (db: MigratableDb, orgId: string, seal?: ChainSeal): Promise<void> =>
  db.transact(async (tx) => {
    await tx.run(
      `INSERT INTO orgs (org_id, name, slug, recipient, wrapped_identity, created_at) VALUES (?, ?, ?, 'none', 'none', 0)`,
      [orgId, orgId, orgId],
    )
    await tx.run('INSERT INTO org_heads (org_id) VALUES (?)', [orgId])
    if (seal) await updateHead(tx, orgId, seal.seal(orgId, { seq: 0, hash: '', signed: 0 }))
  })

const text = (name: string): ColumnSpec => ({ name, type: 'text' })
const bigint = (name: string): ColumnSpec => ({ name, type: 'bigint' })
const columns: readonly ColumnSpec[] = [
  text('org_id'),
  bigint('seq'),
  bigint('at'),
  text('actor_kind'),
  text('actor_id'),
  text('action'),
  text('target'),
  text('session_id'),
  text('payload_hash'),
  text('prev_hash'),
  text('hash'),
]

/** Writes a whole chain of `count` rows without payloads at once, as appending them one by one would have left it. */
export const writeChain = async (db: MigratableDb, orgId: string, count: number, seal: ChainSeal): Promise<void> => {
  const rows: Param[][] = []
  let prevHash = genesisHash
  for (let seq = 1; seq <= count; seq++) {
    const at = 1_763_640_000_000 + seq
    const row: AuditRow = {
      orgId,
      seq,
      at: new Date(at).toISOString(),
      actor: { kind: 'system', id: 'system' },
      action: 'org.created',
      target: `t${seq}`,
      sessionId: seq % 2 === 0 ? `ses_${seq}` : null,
      payloadHash: null,
      prevHash,
    }
    const hash = rowHash(row)
    rows.push([orgId, seq, at, 'system', 'system', row.action, row.target, row.sessionId, null, prevHash, hash])
    prevHash = hash
  }
  await db.transact(async (tx) => {
    for (let i = 0; i < rows.length; i += 2000) await tx.insertMany('audit_log', columns, rows.slice(i, i + 2000))
    await updateHead(tx, orgId, seal.seal(orgId, { seq: count, hash: prevHash, signed: 0 }))
  })
}

const guarded = ['audit_log', 'audit_checkpoints'] as const

/** Writes past the triggers that guard the chain, as somebody with the database's own password could. */
export const tamper = (
  db: MigratableDb,
  ...statements: readonly (readonly [string, readonly Param[]])[]
): Promise<void> =>
  db.transact(async (tx) => {
    for (const table of guarded) for (const sql of db.dialect.mutable(table)) await tx.run(sql)
    for (const [sql, params] of statements) await tx.run(sql, params)
    for (const table of guarded) for (const sql of db.dialect.immutable(table)) await tx.run(sql)
  })
