import type { Migration } from '../platform/db/migrate.ts'

/** What happened when: sessions by their beginning and end, candidates by their invitation, reviews by their completion. */
export const insightIndexes: Migration = {
  name: '0381-insights',
  async up(h) {
    await h.sql(
      'CREATE INDEX sessions_started ON sessions (org_id, environment, started_at) WHERE started_at IS NOT NULL',
    )
    await h.sql('CREATE INDEX sessions_ended ON sessions (org_id, environment, ended_at) WHERE ended_at IS NOT NULL')
    await h.sql('CREATE INDEX invitations_made ON invitations (org_id, environment, created_at)')
    await h.sql(`CREATE INDEX reviews_completed ON reviews (org_id, environment, completed_at, opened_at)
      WHERE completed_at IS NOT NULL`)
  },
  async down(h) {
    for (const name of ['sessions_started', 'sessions_ended', 'invitations_made', 'reviews_completed'])
      await h.sql(`DROP INDEX ${name}`)
  },
}
