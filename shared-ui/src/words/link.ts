import type { linkTexts } from '@integrity/protocol/texts/areas/link'

/** What the pages behind e-mailed links have in common. */
export type LinkText = keyof typeof linkTexts.en
