import type { AnnouncedEvent, AnnouncedNews, ChatPlatform, chatDeliveryStates } from '@integrity/protocol'
import type { Environment } from '../../../kernel/identity/scope.ts'

/** Times are epoch milliseconds. */
export interface IntegrationRow {
  readonly id: string
  readonly provider: ChatPlatform
  readonly workspaceId: string
  readonly workspace: string
  readonly wrappedSecret: string | null
  /** Of what is set: one more each time. */
  readonly version: number
  readonly status: 'connected' | 'paused' | 'broken'
  readonly problem: string | null
  readonly channelId: string | null
  readonly channelName: string | null
  readonly events: readonly AnnouncedEvent[]
  readonly reviewThreshold: number | null
  readonly showCandidateLabel: boolean
  /** More reviews than the threshold were open when it was looked at last. */
  readonly aboveThreshold: boolean
  readonly connectedAt: number
  readonly disconnectedAt: number | null
}

export interface ChatDeliveryRow {
  readonly id: string
  readonly integrationId: string
  readonly environment: Environment
  readonly eventType: AnnouncedNews
  readonly sessionId: string | null
  readonly status: (typeof chatDeliveryStates)[number]
  readonly attempts: number
  readonly problem: string | null
  readonly replayOf: string | null
  readonly createdAt: number
  readonly finishedAt: number | null
}
