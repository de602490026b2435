import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/desk-developers.ts'

export const texts: Translated<typeof en> = {
  developersSection: 'API कुंजियाँ',
}
