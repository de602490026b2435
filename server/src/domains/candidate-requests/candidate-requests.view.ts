import { iso, isoOrNull } from '../../kernel/time.ts'
import type { RequestRow } from './candidate-requests.store.ts'
import type { MessageRow } from './messages.store.ts'

/** A request with what was written to each other about it, oldest first. */
export interface Conversation {
  readonly request: RequestRow
  readonly messages: readonly MessageRow[]
}
/** The same day of the next month, or its last day (GDPR, Article 12(3)); in UTC. */
const monthAfter = (at: number): number => {
  const date = new Date(at)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const lastDay = new Date(Date.UTC(year, month + 2, 0)).getUTCDate()
  return Date.UTC(year, month + 1, Math.min(day, lastDay)) + (at % 86_400_000)
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
  answerDueAt: request.kind === 'context_statement' ? null : iso(monthAfter(request.createdAt)),
  accessCopyUntil: isoOrNull(request.accessCopyUntil),
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
