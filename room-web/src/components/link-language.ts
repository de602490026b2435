import { regional } from '../session/appointment-times.ts'
import type { LinkText } from '../texts/link.ts'
import { type Spoken, useSpoken } from '../ui/spoken.tsx'

/** What the pages behind e-mailed links have in common speaks from either catalogue. */
export const useLinkLanguage: () => Spoken<LinkText> = useSpoken

/** How days, times and numbers are written: the page's language, as the reader's browser has it (BCP 47). */
export const useLocale = (): string => regional(useSpoken().language.code, navigator.languages)
