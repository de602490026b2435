import { iso, isoOrNull } from '../../../kernel/time.ts'
import { answerDueAt } from '../../interviews/statements/answer-due.model.ts'
import { statedMomentView } from '../../interviews/statements/statements.view.ts'
import type { RequestRow } from './candidate-requests.store.ts'
import type { MessageRow } from './messages.store.ts'

/** A request with what was written to each other about it, oldest first. */
export interface Conversation {
  readonly request: RequestRow
  readonly messages: readonly MessageRow[]
}
/** The request as its candidate sees it. */
export const ownRequestView = ({ request, messages }: Conversation) => ({
  id: request.id,
  kind: request.kind,
  status: request.status,
  createdAt: iso(request.createdAt),
  acknowledgedAt: isoOrNull(request.acknowledgedAt),
  decidedAt: isoOrNull(request.decidedAt),
  messages: messages.map(({ id, at, sender, text }) => ({ id, at: iso(at), from: sender, text })),
  answerDueAt: isoOrNull(answerDueAt(request)),
  accessCopyUntil: isoOrNull(request.accessCopyUntil),
  moment: statedMomentView(request),
})

/** The request as the organisation sees it. */
export const candidateRequestView = ({ request, messages }: Conversation) => ({
  ...ownRequestView({ request, messages }),
  environment: request.environment,
  session: { id: request.sessionId, externalId: request.externalId, candidateLabel: request.candidateLabel },
  origin: request.origin,
  replyTo: request.replyTo,
  acknowledgedBy: request.acknowledgedBy,
  decidedBy: request.decidedBy,
  lastDownloadAt: isoOrNull(request.lastDownloadAt),
})
