import type { InvitationText } from '@integrity/protocol/texts/en/invitation'
import { type Spoken, useSpoken } from '../../ui/spoken.tsx'

/** How the invitation's page speaks. */
export const useLanguage: () => Spoken<InvitationText> = useSpoken
