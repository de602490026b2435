import type { Migration } from '../platform/db/migrate.ts'

/** Why an attempt at a delivery got no answer, in words and as a code. Null where there was one, and for attempts of before. */
export const attemptErrors: Migration = {
  name: '0885-attempt-errors',
  async up(h) {
    for (const column of ['error', 'error_code']) await h.sql(`ALTER TABLE webhook_attempts ADD COLUMN ${column} text`)
  },
  async down(h) {
    for (const column of ['error_code', 'error']) await h.sql(`ALTER TABLE webhook_attempts DROP COLUMN ${column}`)
  },
}
