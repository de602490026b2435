import type { InvitationText } from '../../texts/invitation.ts'
import { type Spoken, useSpoken } from '../../ui/spoken.tsx'

/** How the invitation's page speaks. */
export const useLanguage: () => Spoken<InvitationText> = useSpoken
