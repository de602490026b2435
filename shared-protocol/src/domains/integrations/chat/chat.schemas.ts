import * as z from 'zod'
import { deleted, id, instant, listOf, oneLine } from '../../../core/primitives.ts'
import { expectedVersion, shownVersion } from '../../../core/seen.ts'

export const chatPlatforms = ['slack', 'teams'] as const
export type ChatPlatform = (typeof chatPlatforms)[number]
const provider = z.enum(chatPlatforms)

/** What can be chosen to be announced. */
export const announcedEvents = [
  'session.scheduled',
  'session.started',
  'session.ended',
  'consent.declined',
  'report.finalized',
  'report.stale',
] as const
export type AnnouncedEvent = (typeof announcedEvents)[number]
/** Before anything was chosen. */
export const announcedAtFirst: readonly AnnouncedEvent[] = ['session.started', 'session.ended', 'report.finalized']
/** With what follows from a threshold. */
export const announcedNews = [...announcedEvents, 'review.backlog'] as const
export type AnnouncedNews = (typeof announcedNews)[number]
const events = z.array(z.enum(announcedEvents)).max(announcedEvents.length)
const threshold = z.number().int().min(1).max(10_000)

export const chatCapabilities = z
  .object({
    items: z.array(
      z.object({
        provider,
        configured: z.boolean(),
        reason: z.string().nullable().meta({ description: 'what the operator has not set up, in words' }),
        events,
      }),
    ),
  })
  .meta({ id: 'ChatCapabilities' })

export const chatIntegration = z
  .object({
    id: id('cht'),
    provider,
    workspace: z.string().meta({ description: 'its name, as the platform has it' }),
    status: z.enum(['connected', 'paused', 'broken']).meta({
      description: 'broken: the platform refuses permanently; `problem` says why, and installing it again repairs it',
    }),
    problem: z.string().nullable(),
    channel: z.object({ id: z.string(), name: z.string() }).nullable(),
    events,
    reviewThreshold: threshold.nullable().meta({ description: 'announce once when more reviews than that are open' }),
    showCandidateLabel: z.boolean(),
    version: shownVersion('channel, events, threshold and label'),
    connectedAt: instant,
  })
  .meta({ id: 'ChatIntegration' })
export const chatIntegrations = listOf(chatIntegration)

export const chatInstall = z.discriminatedUnion('provider', [
  z.object({ provider: z.literal('slack') }),
  z.object({
    provider: z.literal('teams'),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .meta({
        description:
          'of a workflow "post to a channel when a webhook request is received"; it is a secret and never shown',
      }),
    label: oneLine(100).meta({ description: 'which channel the workflow posts into' }),
  }),
])
export const chatInstalled = z
  .object({
    url: z.string().nullable().meta({ description: "where the admin's browser goes on; null: it is installed" }),
    integration: chatIntegration.nullable(),
  })
  .meta({ id: 'ChatInstalled' })

export const chatCallbackQuery = z.object({
  state: z.string().min(1).max(200),
  code: z.string().max(1000).optional(),
  error: z.string().max(200).optional(),
})
export const chatReturned = z.object({ url: z.string() })

export const chatChannels = z.object({
  items: z.array(z.object({ id: z.string(), name: z.string(), isPrivate: z.boolean() })),
})

export const chatChange = z.object({
  channelId: z.string().min(1).max(200).optional().meta({ description: 'one of `channels`' }),
  events: events.optional(),
  reviewThreshold: threshold.nullable().optional(),
  showCandidateLabel: z.boolean().optional(),
  status: z.enum(['connected', 'paused']).optional(),
  expectedVersion,
})

export const chatRemoved = deleted.extend({
  revoked: z.boolean().meta({ description: 'the platform has taken the access back' }),
  note: z.string().meta({ description: 'what is left to do, in words' }),
})

export const chatDeliveryStates = ['pending', 'delivered', 'failed'] as const
export const chatDelivery = z
  .object({
    id: id('cdl'),
    eventType: z.enum(announcedNews),
    sessionId: id('ses').nullable(),
    status: z.enum(chatDeliveryStates),
    attempts: z.number().int().min(0),
    problem: z.string().nullable().meta({ description: 'why the last attempt failed, in words' }),
    replayOf: id('cdl').optional(),
    createdAt: instant,
    finishedAt: instant.nullable(),
  })
  .meta({ id: 'ChatDelivery' })
export const chatDeliveryFilters = { status: z.enum(chatDeliveryStates).optional() }
