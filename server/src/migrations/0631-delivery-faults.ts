import type { Migration } from '../platform/db/migrate.ts'

/** What is wrong on purpose with the first attempt of a delivery, in a rehearsal; null in earnest. */
export const deliveryFaults: Migration = {
  name: '0631-delivery-faults',
  async up(h) {
    await h.sql('ALTER TABLE webhook_deliveries ADD COLUMN fault text')
  },
  async down(h) {
    await h.sql('ALTER TABLE webhook_deliveries DROP COLUMN fault')
  },
}
