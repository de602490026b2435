import { candidateRequestsRecords } from '../domains/candidates/candidate-requests/candidate-requests.records.service.ts'
import { interviewersRecords } from '../domains/candidates/interviewers/interviewers.records.service.ts'
import { lanesRecords } from '../domains/interviews/lanes/lanes.verify.service.ts'
import { reviewsRecords } from '../domains/interviews/reviews/reviews.records.service.ts'
import { sessionsRecords } from '../domains/interviews/sessions/lists/sessions.records.service.ts'
import { retentionRecords } from '../domains/organisation/retention-rules/retention-rules.records.service.ts'
import { evidenceRecordSource } from '../domains/recording/evidence/evidence.records.service.ts'
import { notesRecords } from '../domains/review/notes/notes.records.service.ts'
import type { RecordSource } from '../kernel/session-records.ts'

/** Every domain whose rows of a session are committed to in the audit trail. */
export const recordSources: readonly RecordSource[] = [
  sessionsRecords,
  retentionRecords,
  reviewsRecords,
  notesRecords,
  candidateRequestsRecords,
  interviewersRecords,
  lanesRecords,
  evidenceRecordSource,
]
