import type { OpenInvitation } from '../../browser/open-invitation.ts'
import type { InvitationFacts } from '../../session/invitation-api.ts'

/** What the page of a working link hands to each of its sections. */
export interface InvitedProps {
  readonly invitation: OpenInvitation
  readonly facts: InvitationFacts
}
