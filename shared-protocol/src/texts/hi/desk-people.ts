import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/desk-people.ts'

export const texts: Translated<typeof en> = {
  peopleSection: 'सदस्य',
  peopleInvitesSection: 'निमंत्रण',
  peopleRolesSection: 'भूमिकाएँ',
  peopleRetentionSection: 'रखने की अवधि',
  peopleHoldsSection: 'कानूनी रोक',
  peoplePoliciesSection: 'नीतियाँ',
}
