import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'
import type { PasswordText } from '../../texts/password.ts'

/** How this page speaks. */
export const useLanguage: () => Spoken<PasswordText> = useSpoken
