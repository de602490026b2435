import type { AccountText } from '../../texts/account.ts'
import { type Spoken, useSpoken } from '../../ui/spoken.tsx'

/** How this page speaks. */
export const useLanguage: () => Spoken<AccountText> = useSpoken
