import type { Migration } from '../platform/db/migrate.ts'

/**
 * Whose calendar was asked to keep an appointment, and the message that takes it out again, sealed until it is sent. Of
 * before it is known that a message was sent: whether it held an appointment shows when the session ends.
 */
export const calendarRequests: Migration = {
  name: '0886-calendar-requests',
  async up(h) {
    await h.sql('ALTER TABLE invitations ADD COLUMN calendar_asked integer')
    await h.sql('ALTER TABLE invitations ADD COLUMN calendar_withdrawal text')
    await h.sql(`UPDATE invitations SET calendar_asked = 1 WHERE sent_at IS NOT NULL AND mail_kind <> 'cancelled'
      AND revoked_at IS NULL AND declined_at IS NULL AND email <> ''`)
  },
  async down(h) {
    for (const column of ['calendar_withdrawal', 'calendar_asked'])
      await h.sql(`ALTER TABLE invitations DROP COLUMN ${column}`)
  },
}
