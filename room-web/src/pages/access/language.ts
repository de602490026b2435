import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'
import type { AccessText } from '../../texts/access.ts'

/** How this page speaks. */
export const useLanguage: () => Spoken<AccessText> = useSpoken
