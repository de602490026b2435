import { helpTexts } from '@integrity/protocol/texts/areas/help'
import { inviteTexts } from '@integrity/protocol/texts/areas/invite'
import { linkTexts } from '@integrity/protocol/texts/areas/link'
import { productTexts } from '@integrity/protocol/texts/areas/product'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the page says where people accept to become members. */
export const inviteLanguages = catalogueOf(productTexts, helpTexts, linkTexts, inviteTexts)
export type InviteText = TextOf<typeof inviteLanguages>
