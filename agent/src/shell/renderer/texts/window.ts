import { consentTexts } from '@integrity/protocol/texts/areas/consent'
import { consentTableTexts } from '@integrity/protocol/texts/areas/consent-table'
import { evidenceTexts } from '@integrity/protocol/texts/areas/evidence'
import { helpTexts } from '@integrity/protocol/texts/areas/help'
import { productTexts } from '@integrity/protocol/texts/areas/product'
import { windowCheckTexts } from '@integrity/protocol/texts/areas/window-check'
import { windowConsentTexts } from '@integrity/protocol/texts/areas/window-consent'
import { windowGeneralTexts } from '@integrity/protocol/texts/areas/window-general'
import { windowProblemsTexts } from '@integrity/protocol/texts/areas/window-problems'
import { windowRecordingTexts } from '@integrity/protocol/texts/areas/window-recording'
import { catalogueOf, type TextOf } from '@integrity/protocol/texts/catalogue'

/** What the window says. What is collected is said by the service. */
export const windowLanguages = catalogueOf(
  productTexts,
  helpTexts,
  windowGeneralTexts,
  consentTexts,
  consentTableTexts,
  windowConsentTexts,
  windowCheckTexts,
  windowRecordingTexts,
  windowProblemsTexts,
  evidenceTexts,
)
export type WindowText = TextOf<typeof windowLanguages>

/** A word of the contract may be younger than this window. */
export const isWindowText = (name: string): name is WindowText => Object.hasOwn(windowLanguages[0].texts, name)
