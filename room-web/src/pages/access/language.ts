import type { AccessText } from '../../texts/access.ts'
import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'

/** How this page speaks. */
export const useLanguage: () => Spoken<AccessText> = useSpoken
