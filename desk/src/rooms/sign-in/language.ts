import type { AccountText } from '../../words/account.ts'
import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'

/** How this page speaks. */
export const useLanguage: () => Spoken<AccountText> = useSpoken
