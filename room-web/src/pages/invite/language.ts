import type { InviteText } from '../../texts/invite.ts'
import { type Spoken, useSpoken } from '../../ui/spoken.tsx'

/** How this page speaks. */
export const useLanguage: () => Spoken<InviteText> = useSpoken
