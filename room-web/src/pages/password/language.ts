import type { PasswordText } from '../../texts/password.ts'
import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'

/** How this page speaks. */
export const useLanguage: () => Spoken<PasswordText> = useSpoken
