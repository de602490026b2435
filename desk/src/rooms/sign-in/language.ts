import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'
import type { AccountText } from '../../words/account.ts'

/** How this page speaks. */
export const useLanguage: () => Spoken<AccountText> = useSpoken
