import { invitationTexts } from '@integrity/protocol/texts/areas/invitation'
import { linkTexts } from '@integrity/protocol/texts/areas/link'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the invitation's page says. What will be asked for is said by the service. */
export const invitationLanguages = catalogueOf(linkTexts, invitationTexts)
export type InvitationText = TextOf<typeof invitationLanguages>
