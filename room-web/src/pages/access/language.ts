import type { AccessText } from '../../texts/access.ts'
import { type Spoken, useSpoken } from '../../ui/spoken.tsx'

/** How this page speaks. */
export const useLanguage: () => Spoken<AccessText> = useSpoken
