import type { Migration } from '../platform/db/migrate.ts'

/** When an interviewer was taken off a session. */
export const interviewerRemovals: Migration = {
  name: '1070-interviewer-removals',
  up: (h) => h.sql('ALTER TABLE interviewers ADD COLUMN removed_at bigint'),
  down: (h) => h.sql('ALTER TABLE interviewers DROP COLUMN removed_at'),
}
