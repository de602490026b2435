import { announcedEvents, type ChatPlatform, chatPlatforms } from '@integrity/protocol'
import { iso, isoOrNull } from '../../../kernel/time.ts'
import type { ChatDeliveryRow, IntegrationRow } from './chat.types.ts'

export const capabilitiesView = (lackOf: (provider: ChatPlatform) => string | null) => ({
  items: chatPlatforms.map((provider) => ({
    provider,
    configured: lackOf(provider) === null,
    reason: lackOf(provider),
    events: [...announcedEvents],
  })),
})

export const integrationView = (row: IntegrationRow) => {
  const { id, provider, workspace, version, status, problem, reviewThreshold, showCandidateLabel } = row
  return {
    id,
    provider,
    workspace,
    version,
    status,
    problem,
    reviewThreshold,
    showCandidateLabel,
    channel: row.channelId === null ? null : { id: row.channelId, name: row.channelName ?? '' },
    events: [...row.events],
    connectedAt: iso(row.connectedAt),
  }
}

const notes = {
  slack: {
    done: 'The access was taken back in Slack.',
    left: 'Slack could not be told: remove the app there too, under the apps of the workspace.',
  },
  teams: {
    done: '',
    left: 'Only its owner can delete the workflow in Teams: have that done, or its address would still work.',
  },
} as const

export const removedView = ({ id, provider }: IntegrationRow, revoked: boolean) => ({
  id,
  deleted: true as const,
  revoked,
  note: notes[provider][revoked ? 'done' : 'left'],
})

export const announcementView = (row: ChatDeliveryRow) => {
  const { id, eventType, sessionId, status, attempts, problem, replayOf } = row
  return {
    id,
    eventType,
    sessionId,
    status,
    attempts,
    problem,
    ...(replayOf !== null && { replayOf }),
    createdAt: iso(row.createdAt),
    finishedAt: isoOrNull(row.finishedAt),
  }
}
