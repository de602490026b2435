import { consentTexts } from '@integrity/protocol/texts/areas/consent'
import { consentTableTexts } from '@integrity/protocol/texts/areas/consent-table'
import { helpTexts } from '@integrity/protocol/texts/areas/help'
import { productTexts } from '@integrity/protocol/texts/areas/product'
import { roomTexts } from '@integrity/protocol/texts/areas/room'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the room says. What is collected is said by the service. */
export const roomLanguages = catalogueOf(productTexts, helpTexts, roomTexts, consentTexts, consentTableTexts)
export type RoomText = TextOf<typeof roomLanguages>
