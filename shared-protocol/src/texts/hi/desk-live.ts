import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/desk-live.ts'

export const texts: Translated<typeof en> = {
  liveSection: 'चल रहे साक्षात्कार',
}
