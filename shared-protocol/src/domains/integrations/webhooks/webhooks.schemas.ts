import * as z from 'zod'
import { environment, id, instant } from '../../../core/primitives.ts'
import { expectedVersion, shownVersion } from '../../../core/seen.ts'
import { eventTypes } from '../events/events.catalog.ts'

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
/** Hours for which the secret before a rotation may go on signing beside the new one. */
export const maxOverlapHours = 72
export const webhookRotation = z.object({
  overlapHours: z.number().int().min(0).max(maxOverlapHours).default(0).meta({
    description:
      'how long the previous secret signs too: `webhook-signature` then has two signatures with a space between, `X-Service-Signature` two of `v1`, the new one first; 0: it stops at once',
  }),
})
export const webhookPatch = z.object({
  url: url.optional(),
  eventTypes: subscription.optional(),
  description: description.optional(),
  status: webhookStatus.optional(),
  expectedVersion,
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
    previousSecretUntil: instant.nullable().optional().meta({
      description: 'until when the secret before the last rotation signs too; null: it does not',
    }),
    version: shownVersion('address, event types and description'),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'Webhook' })
export const webhookWithSecret = webhook.extend({ secret: z.string() })
