import type { InviteText } from '../../texts/invite.ts'
import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'

/** How this page speaks. */
export const useLanguage: () => Spoken<InviteText> = useSpoken
