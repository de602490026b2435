import { evidenceTexts } from '@integrity/protocol/texts/areas/evidence'
import { gapWordsTexts } from '@integrity/protocol/texts/areas/gap-words'
import { helpTexts } from '@integrity/protocol/texts/areas/help'
import { linkTexts } from '@integrity/protocol/texts/areas/link'
import { momentsTexts } from '@integrity/protocol/texts/areas/moments'
import { ownPlayerTexts } from '@integrity/protocol/texts/areas/own-player'
import { productTexts } from '@integrity/protocol/texts/areas/product'
import { requestsTexts } from '@integrity/protocol/texts/areas/requests'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the page of a candidate's requests says. */
export const requestsLanguages = catalogueOf(
  productTexts,
  helpTexts,
  linkTexts,
  requestsTexts,
  evidenceTexts,
  momentsTexts,
  ownPlayerTexts,
  gapWordsTexts,
)
export type RequestsText = TextOf<typeof requestsLanguages>
