import { type AnnouncedEvent, type AnnouncedNews, announcedEvents } from '@integrity/protocol'
import type { Needs } from '../../../kernel/call.ts'
import type { Cause } from '../../../kernel/identity/cause.ts'
import type { JobCall } from '../../../kernel/jobs/define-job.ts'
import { pageFor } from '../../../kernel/page-links.ts'
import type { Announcement } from '../../../platform/chat/types.ts'
import { GiveUp } from '../../../platform/give-up.ts'
import { judged, ProviderFailed } from '../../../platform/provider/provider-failed.ts'
import { RetryLater } from '../../../platform/retry-later.ts'
import { openReviews } from '../../interviews/reviews/turnaround.service.ts'
import { getShownSession } from '../../interviews/sessions/sessions.read.service.ts'
import { findDelivery, insertDelivery, markAttempt } from './announcements.store.ts'
import type { ChatDeliveryRow, IntegrationRow } from './chat.types.ts'
import { findIntegration, markBroken, markThreshold } from './integrations.store.ts'
import { accessOf, chatOf } from './platforms.service.ts'

const known: ReadonlySet<string> = new Set(announcedEvents)
export const isAnnounced = (type: string): type is AnnouncedEvent => known.has(type)

interface Announced {
  readonly integrationId: string
  readonly eventType: AnnouncedNews
  readonly sessionId: string | null
}

export const announce = async (
  call: Needs<'clock' | 'jobs' | 'newId'> & Cause,
  { integrationId, eventType, sessionId }: Announced,
): Promise<void> => {
  const { tx, scope } = call
  const id = call.newId('cdl')
  const { environment } = scope
  const createdAt = call.clock.now()
  await insertDelivery(tx, scope.orgId, {
    id,
    integrationId,
    environment,
    eventType,
    sessionId,
    createdAt,
    replayOf: null,
  })
  await call.jobs.enqueue(call, { kind: 'chat.announce', payload: { deliveryId: id } })
}

export const wants = (row: IntegrationRow, type: AnnouncedEvent): boolean =>
  row.status === 'connected' && row.channelId !== null && row.events.includes(type)

const sentences: Readonly<Record<AnnouncedNews, string>> = {
  'session.scheduled': 'An interview was scheduled',
  'session.started': 'An interview has begun',
  'session.ended': 'An interview has ended',
  'consent.declined': 'A candidate declined to be recorded',
  'report.finalized': 'A report was signed',
  'report.stale': 'Something came after a report was signed',
  'review.backlog': 'Reviews are waiting',
}

/** Says that something happened, and links to it; whom it is about only where the organisation chose so. */
const messageOf = async (
  call: Needs<'config' | 'reader' | 'scope'>,
  { showCandidateLabel, reviewThreshold }: IntegrationRow,
  { eventType, sessionId }: ChatDeliveryRow,
): Promise<Announcement> => {
  if (sessionId === null) {
    const open = await openReviews(call, call.scope)
    const link = { label: 'See the reviews', url: pageFor(call, { kind: 'reviews' }) }
    return {
      text: `${sentences[eventType]}: ${open} are open; you asked to hear of more than ${reviewThreshold}.`,
      link,
    }
  }
  const { candidateLabel } = await getShownSession(call, sessionId)
  const about = showCandidateLabel && candidateLabel ? `: ${candidateLabel}` : ''
  const isReport = eventType === 'report.finalized' || eventType === 'report.stale'
  const url = pageFor(call, { kind: isReport ? 'report' : 'session', id: sessionId })
  const link = { label: isReport ? 'See the report' : 'See the interview', url }
  return { text: `${sentences[eventType]}${about} (${sessionId}).`, link }
}

/** One attempt. Rejects with `GiveUp` for what no further attempt mends. */
export const sendAnnouncement = async (
  call: JobCall,
  { deliveryId, isLast }: { readonly deliveryId: string; readonly isLast: boolean },
): Promise<void> => {
  const { orgId } = call.scope
  const delivery = await findDelivery(call.reader, orgId, deliveryId)
  if (delivery?.status !== 'pending') return
  const row = await findIntegration(call.reader, orgId, delivery.integrationId)
  const mark = (status: ChatDeliveryRow['status'], problem: string | null) =>
    call.db.transact((tx) => markAttempt(tx, orgId, delivery, { status, problem, now: call.clock.now() }))
  if (!row || row.disconnectedAt !== null) return mark('failed', 'the app was disconnected')
  if (row.channelId === null) return mark('failed', 'no channel was chosen for the app')
  try {
    const message = await messageOf(call, row, delivery)
    await chatOf(call, row.provider).post(accessOf(call, { orgId, integration: row }), row.channelId, message)
  } catch (error) {
    const { isFinal, problem } = judged(error)
    await mark(isFinal || isLast ? 'failed' : 'pending', problem)
    const failed = error instanceof ProviderFailed ? error : undefined
    if (failed?.kind === 'ends') await call.db.transact((tx) => markBroken(tx, orgId, row.id, problem))
    if (isFinal) throw new GiveUp(problem)
    throw failed?.waitMs === undefined ? error : new RetryLater(problem, failed.waitMs)
  }
  await mark('delivered', null)
}

/** Announces that the backlog has passed a threshold: once, until it has fallen below it again. */
export const lookAtBacklog = async (
  call: Needs<'clock' | 'db' | 'jobs' | 'newId' | 'reader'>,
  { orgId, id, reviewThreshold, aboveThreshold, channelId }: IntegrationRow & { readonly orgId: string },
): Promise<void> => {
  const scope = { orgId, environment: 'live' } as const
  const isAbove = (await openReviews(call, scope)) > (reviewThreshold ?? Number.POSITIVE_INFINITY)
  if (isAbove === aboveThreshold) return
  await call.db.transact(async (tx) => {
    if (!(await markThreshold(tx, orgId, id, isAbove)) || !isAbove || channelId === null) return
    await announce({ ...call, tx, scope }, { integrationId: id, eventType: 'review.backlog', sessionId: null })
  })
}
