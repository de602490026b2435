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

/** Lists and reports that are read from the primary all the same, and why. */
export const primaryLists = {
  'auth.signIns.list': 'a person sees where they are signed in',
  'portal.apiKeys.list': 'credentials',
  'portal.auditLogs.verify': 'the chain of the primary is what counts',
  'portal.invites.list': 'who may come in',
  'portal.live.list': 'what runs this moment',
  'portal.members.list': 'who may do what',
  'portal.orgs.list': 'where a person may go',
  'portal.recipients.list': 'whom evidence is encrypted for',
  'portal.retention.preview': 'somebody deletes by it',
  'portal.reviews.assignees': 'who may do what',
  'portal.roles.list': 'who may do what',
} as const satisfies Partial<Record<EndpointId, string>>
