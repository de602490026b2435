import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/desk-business.ts'

export const texts: Translated<typeof en> = {
  businessSection: 'भंडारण',
}
