// Generated from the folders of the domains by `npm run generate`.
import { candidateRequestsEraser } from '../../domains/candidates/candidate-requests/candidate-requests.erase.service.ts'
import { interviewersEraser } from '../../domains/candidates/interviewers/interviewers.erase.service.ts'
import { invitationsEraser } from '../../domains/candidates/invitations/invitations.erase.service.ts'
import { atsEraser } from '../../domains/integrations/ats/ats.erase.service.ts'
import { deliveriesEraser } from '../../domains/integrations/deliveries/deliveries.erase.service.ts'
import { integrityEventsEraser } from '../../domains/interviews/integrity-events/integrity-events.erase.service.ts'
import { lanesEraser } from '../../domains/interviews/lanes/lanes.erase.service.ts'
import { sessionsEraser } from '../../domains/interviews/sessions/sessions.erase.service.ts'
import { companionsEraser } from '../../domains/recording/companions/companions.erase.service.ts'
import { evidenceEraser } from '../../domains/recording/evidence/evidence.erase.service.ts'
import { sessionKeysEraser } from '../../domains/recording/evidence/session-keys.erase.service.ts'
import { uploadsEraser } from '../../domains/recording/uploads/uploads.erase.service.ts'
import { bundlesEraser } from '../../domains/review/bundles/bundles.erase.service.ts'
import { compositionsEraser } from '../../domains/review/compositions/compositions.erase.service.ts'
import { notesEraser } from '../../domains/review/notes/notes.erase.service.ts'
import { reportsEraser } from '../../domains/review/reports/reports.erase.service.ts'
import { transcriptsEraser } from '../../domains/review/transcripts/transcripts.erase.service.ts'

/** What the domains forget when a session is erased. */
export const erasersOfDomains = [
  candidateRequestsEraser,
  interviewersEraser,
  invitationsEraser,
  atsEraser,
  deliveriesEraser,
  integrityEventsEraser,
  lanesEraser,
  sessionsEraser,
  companionsEraser,
  evidenceEraser,
  sessionKeysEraser,
  uploadsEraser,
  bundlesEraser,
  compositionsEraser,
  notesEraser,
  reportsEraser,
  transcriptsEraser,
] as const
