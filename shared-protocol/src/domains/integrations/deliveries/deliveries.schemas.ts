import * as z from 'zod'
import { id, instant } from '../../../core/primitives.ts'

/** What a rehearsal does to a delivery's first attempt. */
export const deliveryFaults = ['cut_body', 'wrong_signature', 'old_timestamp'] as const
export type DeliveryFault = (typeof deliveryFaults)[number]

/** Waits between the 6 attempts of a delivery, in seconds. */
export const retryWaitsSeconds = [10, 60, 300, 1800, 7200] as const
export const maxAttempts = retryWaitsSeconds.length + 1

/** Examples that one endpoint is sent within a minute at most. */
export const examplesPerMinute = 30

/** Events that one request sends again at most. */
export const maxReplayed = 500

export const deliveryStatuses = ['pending', 'delivered', 'retrying', 'dead_letter', 'cancelled'] as const
export const deliveryStatus = z.enum(deliveryStatuses)
export const attempt = z.object({
  attempt: z.number().int(),
  at: instant,
  durationMs: z.number().int(),
  outcome: z.enum(['success', 'http_error', 'timeout', 'network_error', 'blocked']),
  statusCode: z.number().int().optional(),
  responseExcerpt: z.string().optional(),
  error: z.string().optional().meta({ description: 'why there was no answer, in words; absent where there was one' }),
  errorCode: z.string().optional().meta({
    description:
      'the same as a code of the network, of TLS or of ours, for example `ENOTFOUND`, `CERT_HAS_EXPIRED`, `DEADLINE`',
  }),
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
    fault: z.enum(deliveryFaults).optional().meta({
      description:
        'what was wrong with its first attempt on purpose, in the sandbox scenario `receiver_faults`: a receiver must refuse it; later attempts are whole',
    }),
    example: z
      .literal(true)
      .optional()
      .meta({ description: 'what was sent is the example of its type, as it was asked for' }),
    createdAt: instant,
    attempts: z.array(attempt),
  })
  .meta({ id: 'Delivery' })

export const deliveryRequest = z
  .object({
    headers: z
      .record(z.string(), z.string())
      .meta({ description: 'the same at each attempt; its number, its time and its signatures are not stored' }),
    body: z.string().meta({
      description: 'the JSON as it is posted; an erasure since then may have taken words of a candidate out of it',
    }),
  })
  .meta({ id: 'DeliveryRequest' })
