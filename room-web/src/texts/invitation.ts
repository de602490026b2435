import { aidsTexts } from '@integrity/protocol/texts/areas/aids'
import { helpTexts } from '@integrity/protocol/texts/areas/help'
import { invitationTexts } from '@integrity/protocol/texts/areas/invitation'
import { linkTexts } from '@integrity/protocol/texts/areas/link'
import { productTexts } from '@integrity/protocol/texts/areas/product'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the invitation's page says. What will be asked for is said by the service. */
export const invitationLanguages = catalogueOf(productTexts, helpTexts, linkTexts, aidsTexts, invitationTexts)
export type InvitationText = TextOf<typeof invitationLanguages>
