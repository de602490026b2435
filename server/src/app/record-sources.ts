import { candidateRequestsRecords } from '../domains/candidate-requests/candidate-requests.records.service.ts'
import { evidenceRecordSource } from '../domains/evidence/evidence.records.service.ts'
import { lanesRecords } from '../domains/lanes/lanes.verify.service.ts'
import { notesRecords } from '../domains/notes/notes.records.service.ts'
import { retentionRecords } from '../domains/retention-rules/retention-rules.records.service.ts'
import { reviewsRecords } from '../domains/reviews/reviews.records.service.ts'
import { sessionsRecords } from '../domains/sessions/sessions.records.service.ts'
import type { RecordSource } from '../kernel/session-records.ts'

/** Every domain whose rows of a session are committed to in the audit trail. */
export const recordSources: readonly RecordSource[] = [
  sessionsRecords,
  retentionRecords,
  reviewsRecords,
  notesRecords,
  candidateRequestsRecords,
  lanesRecords,
  evidenceRecordSource,
]
