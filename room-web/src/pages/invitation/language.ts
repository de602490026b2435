import { type Spoken, useSpoken } from '@integrity/shared-ui/web/spoken'
import type { InvitationText } from '../../texts/invitation.ts'

/** How the invitation's page speaks. */
export const useLanguage: () => Spoken<InvitationText> = useSpoken
