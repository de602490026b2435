import { atsEraser } from '../domains/ats/ats.erase.service.ts'
import { bundlesEraser } from '../domains/bundles/bundles.erase.service.ts'
import { candidateRequestsEraser } from '../domains/candidate-requests/candidate-requests.erase.service.ts'
import { createCompanionsEraser } from '../domains/companions/companions.erase.service.ts'
import type { LivePreviews } from '../domains/companions/previews.parts.ts'
import { compositionsEraser } from '../domains/compositions/compositions.erase.service.ts'
import { deliveriesEraser } from '../domains/deliveries/deliveries.erase.service.ts'
import { evidenceEraser } from '../domains/evidence/evidence.erase.service.ts'
import { createSessionKeysEraser, type SessionKeys } from '../domains/evidence/session-keys.parts.ts'
import { integrityEventsEraser } from '../domains/integrity-events/integrity-events.erase.service.ts'
import { invitationsEraser } from '../domains/invitations/invitations.erase.service.ts'
import { lanesEraser } from '../domains/lanes/lanes.erase.service.ts'
import { notesEraser } from '../domains/notes/notes.erase.service.ts'
import { baseRatesEraser } from '../domains/reports/base-rates.counting.service.ts'
import { transcriptsEraser } from '../domains/transcripts/transcripts.erase.service.ts'
import type { OpenUploads } from '../domains/uploads/open-uploads.parts.ts'
import { createUploadsEraser } from '../domains/uploads/uploads.erase.service.ts'
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
  invitationsEraser,
  deliveriesEraser,
  atsEraser,
  outboxEraser,
  idempotencyEraser,
  auditEraser,
]
