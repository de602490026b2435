import { candidateRequestsEraser } from '../domains/candidates/candidate-requests/candidate-requests.erase.service.ts'
import { interviewersEraser } from '../domains/candidates/interviewers/interviewers.erase.service.ts'
import { invitationsEraser } from '../domains/candidates/invitations/invitations.erase.service.ts'
import { atsEraser } from '../domains/integrations/ats/ats.erase.service.ts'
import { deliveriesEraser } from '../domains/integrations/deliveries/deliveries.erase.service.ts'
import { integrityEventsEraser } from '../domains/interviews/integrity-events/integrity-events.erase.service.ts'
import { lanesEraser } from '../domains/interviews/lanes/lanes.erase.service.ts'
import { sessionWordsEraser } from '../domains/interviews/sessions/session-words.service.ts'
import { createCompanionsEraser } from '../domains/recording/companions/companions.erase.service.ts'
import type { LivePreviews } from '../domains/recording/companions/previews.parts.ts'
import { evidenceEraser } from '../domains/recording/evidence/evidence.erase.service.ts'
import { createSessionKeysEraser, type SessionKeys } from '../domains/recording/evidence/session-keys.parts.ts'
import type { OpenUploads } from '../domains/recording/uploads/open-uploads.parts.ts'
import { createUploadsEraser } from '../domains/recording/uploads/uploads.erase.service.ts'
import { bundlesEraser } from '../domains/review/bundles/bundles.erase.service.ts'
import { compositionsEraser } from '../domains/review/compositions/compositions.erase.service.ts'
import { notesEraser } from '../domains/review/notes/notes.erase.service.ts'
import { baseRatesEraser } from '../domains/review/reports/base-rates.counting.service.ts'
import { transcriptsEraser } from '../domains/review/transcripts/transcripts.erase.service.ts'
import { auditEraser } from '../kernel/audit-eraser.ts'
import { outboxEraser } from '../kernel/outbox-eraser.ts'
import { idempotencyEraser } from '../pipeline/idempotency/idempotency.erase.ts'
import type { PipelineParts } from '../pipeline/pipeline-parts.ts'

interface Kept {
  readonly openUploads: OpenUploads
  readonly previews: LivePreviews
  readonly sessionKeys: SessionKeys
}

/** All that forget an interview, in the order in which they do: objects before the rows that name them, keys behind both. */
export const createErasers = ({ openUploads, previews, sessionKeys }: Kept): PipelineParts['erasers'] => [
  createUploadsEraser(openUploads),
  evidenceEraser,
  transcriptsEraser,
  lanesEraser,
  integrityEventsEraser,
  createCompanionsEraser(previews),
  compositionsEraser,
  bundlesEraser,
  createSessionKeysEraser(sessionKeys),
  ...[notesEraser, baseRatesEraser, candidateRequestsEraser],
  ...[invitationsEraser, interviewersEraser, sessionWordsEraser],
  deliveriesEraser,
  atsEraser,
  outboxEraser,
  idempotencyEraser,
  auditEraser,
]
