import type { PasswordText } from '../../texts/password.ts'
import { type Spoken, useSpoken } from '../../ui/spoken.tsx'

/** How this page speaks. */
export const useLanguage: () => Spoken<PasswordText> = useSpoken
