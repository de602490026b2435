import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/desk-player.ts'

export const texts: Translated<typeof en> = {
  playerSection: 'प्लेयर',
}
