import type { Migration } from '../platform/db/migrate.ts'

/**
 * The head of a chain says how far it was signed, and carries a MAC under the master key. Heads of before get theirs from
 * the process that applies this (`sealUnsealed`), and from no later one.
 */
export const auditSeals: Migration = {
  name: '0500-audit-seals',
  async up(h) {
    await h.sql('ALTER TABLE org_heads ADD COLUMN audit_signed bigint NOT NULL DEFAULT 0')
    await h.sql("ALTER TABLE org_heads ADD COLUMN audit_mac text NOT NULL DEFAULT ''")
    await h.sql(`UPDATE org_heads SET audit_signed =
      COALESCE((SELECT max(c.size) FROM audit_checkpoints c WHERE c.org_id = org_heads.org_id), 0)`)
  },
  async down(h) {
    await h.sql('ALTER TABLE org_heads DROP COLUMN audit_mac')
    await h.sql('ALTER TABLE org_heads DROP COLUMN audit_signed')
  },
}
