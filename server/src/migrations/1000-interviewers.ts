import type { Migration } from '../platform/db/migrate.ts'
import { dropTables } from './tables.ts'

/**
 * The people who speak with a candidate, and when each was first told by what that their voice is recorded. `mail_kind` and
 * `mail_job` are of the newest message, `sent_at` is when the mail server took that one.
 */
export const interviewers: Migration = {
  name: '1000-interviewers',
  async up(h) {
    await h.createTable('interviewers', (t) => {
      for (const name of ['org_id', 'interviewer_id', 'environment', 'session_id', 'email']) t.text(name).notNullable()
      t.text('name')
      for (const name of ['locale', 'added_kind', 'added_id']) t.text(name).notNullable()
      for (const name of ['added_label', 'link_id', 'mail_kind', 'mail_job']) t.text(name)
      t.bigInteger('created_at').notNullable()
      for (const name of ['sent_at', 'refused_at', 'mailed_at', 'calendar_at', 'opened_at']) t.bigInteger(name)
      t.primary(['org_id', 'interviewer_id'])
      t.foreign(['org_id', 'session_id'], 'interviewers_org_id_session_id_fkey')
        .references(['org_id', 'session_id'])
        .inTable('sessions')
      t.index(['org_id', 'session_id', 'created_at'], 'interviewers_session')
    })
  },
  down: (h) => dropTables(h, 'interviewers'),
}
