import { accommodationDays } from '@integrity/protocol'
import { iso, isoOrNull } from '../../../kernel/time.ts'
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

const dayMs = 86_400_000

/** Until when an answer is due: of what is needed for the interview, before it begins. */
const dueAt = ({ kind, createdAt, schedule }: RequestRow): number | null => {
  if (kind === 'context_statement') return null
  if (kind === 'access' || kind === 'erasure') return monthAfter(createdAt)
  const days = createdAt + accommodationDays * dayMs
  const startsAt = schedule === null ? days : Date.parse((JSON.parse(schedule) as { startsAt: string }).startsAt)
  return startsAt > createdAt ? Math.min(startsAt, days) : days
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
  answerDueAt: isoOrNull(dueAt(request)),
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
