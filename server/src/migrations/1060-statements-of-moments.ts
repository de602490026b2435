import type { Migration } from '../platform/db/migrate.ts'

const openOnes = (columns: string): string =>
  `CREATE UNIQUE INDEX candidate_requests_open ON candidate_requests (org_id, session_id, kind${columns}) WHERE decided_at IS NULL`

/** The moment that a candidate's statement is about; null where it is about the whole interview. */
export const statementsOfMoments: Migration = {
  name: '1060-statements-of-moments',
  async up(h) {
    await h.sql('ALTER TABLE candidate_requests ADD COLUMN moment_id text')
    await h.sql('ALTER TABLE candidate_requests ADD COLUMN moment_at bigint')
    // While one of a kind about one moment is open there is no second one.
    await h.sql('DROP INDEX candidate_requests_open')
    await h.sql(openOnes(", COALESCE(moment_id, '')"))
  },
  async down(h) {
    await h.sql('DROP INDEX candidate_requests_open')
    // Those about a moment count as read when they came, so that one of the kind is open at most.
    await h.sql(
      `UPDATE candidate_requests SET status = 'completed', decided_at = created_at
       WHERE moment_id IS NOT NULL AND decided_at IS NULL`,
    )
    await h.sql('DELETE FROM candidate_request_counts')
    await h.sql(
      `INSERT INTO candidate_request_counts (org_id, environment, status, kind, n)
       SELECT org_id, environment, status, kind, count(*) FROM candidate_requests GROUP BY org_id, environment, status, kind`,
    )
    await h.sql(openOnes(''))
    await h.sql('ALTER TABLE candidate_requests DROP COLUMN moment_at')
    await h.sql('ALTER TABLE candidate_requests DROP COLUMN moment_id')
  },
}
