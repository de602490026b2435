import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/desk-connections.ts'

export const texts: Translated<typeof en> = {
  connectionsSection: 'सिंगल साइन-ऑन',
}
