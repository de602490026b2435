import type { EndpointId } from '@integrity/protocol'

/**
 * What may be read from a replica (`DATABASE_READ_URL`): lists and reports of an organisation, read by its members and keys. Each
 * says only what is there; nothing is decided or written by what it finds. All else reads from the primary.
 */
const ids = [
  'events.list',
  'portal.ats.list',
  'portal.ats.sync',
  'portal.audioChunks.list',
  'portal.auditLogs.list',
  'portal.billing.history',
  'portal.cameraClips.list',
  'portal.cameraFrames.list',
  'portal.candidateRequests.list',
  'portal.chat.deliveries',
  'portal.chat.list',
  'portal.compositions.list',
  'portal.coverage',
  'portal.events.list',
  'portal.evidence.list',
  'portal.insights.get',
  'portal.notes.list',
  'portal.policies.list',
  'portal.reelIndex.get',
  'portal.report',
  'portal.reviews.list',
  'portal.screenshots.list',
  'portal.sessions.accessLog',
  'portal.sessions.list',
  'portal.systemAudio.list',
  'portal.timeline',
  'portal.transcript',
  'portal.usage.get',
  'portal.webhooks.deliveries.list',
  'portal.webhooks.list',
  'sessions.compositions.list',
  'sessions.events.list',
  'sessions.evidence.list',
  'sessions.list',
  'sessions.reelIndex.get',
  'sessions.report',
  'sessions.systemAudio.list',
  'sessions.transcript',
  'webhooks.deliveries.list',
  'webhooks.list',
] as const satisfies readonly EndpointId[]

export const replicaReads: ReadonlySet<string> = new Set(ids)
