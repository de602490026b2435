import type { LinkText } from '../words/link.ts'
import { type Spoken, useSpoken } from './spoken.tsx'

/** What the pages behind e-mailed links have in common speaks from either catalogue. */
export const useLinkLanguage: () => Spoken<LinkText> = useSpoken
