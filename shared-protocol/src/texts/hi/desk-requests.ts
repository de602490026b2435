import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/desk-requests.ts'

export const texts: Translated<typeof en> = {
  requestsSection: 'अनुरोध',
}
