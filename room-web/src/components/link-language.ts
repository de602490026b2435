import type { LinkText } from '../texts/link.ts'
import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'

/** What the pages behind e-mailed links have in common speaks from either catalogue. */
export const useLinkLanguage: () => Spoken<LinkText> = useSpoken
