import * as z from 'zod'
import { environment, id, instant } from '../../core/primitives.ts'
import { eventTypes } from '../events/events.catalog.ts'

/** Waits between the 6 attempts of a delivery, in seconds. */
export const retryWaitsSeconds = [10, 60, 300, 1800, 7200] as const
export const maxAttempts = retryWaitsSeconds.length + 1
/** Consecutive dead letters after which an endpoint is disabled. */
export const disableAfter = 10

export const webhookStatus = z.enum(['enabled', 'disabled'])
export const subscription = z
  .array(z.enum([...eventTypes, '*']))
  .min(1)
  .max(eventTypes.length + 1)
const url = z.string().max(2000).meta({ description: 'https address; http only in development' })
const description = z.string().max(500)

export const webhookCreate = z.object({ url, eventTypes: subscription, description: description.optional() })
export const webhookPatch = z.object({
  url: url.optional(),
  eventTypes: subscription.optional(),
  description: description.optional(),
  status: webhookStatus.optional(),
})
export const webhook = z
  .object({
    id: id('whk'),
    environment,
    url: z.string(),
    eventTypes: z.array(z.string()),
    description: z.string().nullable(),
    status: webhookStatus,
    disabledReason: z.string().nullable(),
    consecutiveFailures: z.number().int(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Webhook' })
export const webhookWithSecret = webhook.extend({ secret: z.string() })

export const deliveryStatuses = ['pending', 'delivered', 'retrying', 'dead_letter', 'cancelled'] as const
export const deliveryStatus = z.enum(deliveryStatuses)
export const attempt = z.object({
  attempt: z.number().int(),
  at: instant,
  durationMs: z.number().int(),
  outcome: z.enum(['success', 'http_error', 'timeout', 'network_error', 'blocked']),
  statusCode: z.number().int().optional(),
  responseExcerpt: z.string().optional(),
})
export const delivery = z
  .object({
    id: id('dlv'),
    eventId: id('evt'),
    eventType: z.string(),
    status: deliveryStatus,
    attemptCount: z.number().int(),
    nextAttemptAt: instant.nullable(),
    replayOf: id('dlv').optional(),
    createdAt: instant,
    attempts: z.array(attempt),
  })
  .meta({ id: 'Delivery' })
