import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'
import type { InviteText } from '../../texts/invite.ts'

/** How this page speaks. */
export const useLanguage: () => Spoken<InviteText> = useSpoken
