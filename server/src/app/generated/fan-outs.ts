// Generated from the folders of the domains by `npm run generate`.
import { interviewersFanOut } from '../../domains/candidates/interviewers/interviewers.fan-out.service.ts'
import { invitationsFanOut } from '../../domains/candidates/invitations/invitations.fan-out.service.ts'
import { atsFanOut } from '../../domains/integrations/ats/ats.fan-out.service.ts'
import { chatFanOut } from '../../domains/integrations/chat/chat.fan-out.service.ts'
import { deliveriesFanOut } from '../../domains/integrations/deliveries/deliveries.fan-out.service.ts'

/** What the domains write where an event is published, in its transaction. */
export const fanOutsOfDomains = [
  interviewersFanOut,
  invitationsFanOut,
  atsFanOut,
  chatFanOut,
  deliveriesFanOut,
] as const
