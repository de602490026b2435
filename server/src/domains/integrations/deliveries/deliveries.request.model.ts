import type { DeliveryHeader } from '@integrity/protocol'
import { exampleBody } from './deliveries.examples.model.ts'

interface Posted {
  readonly id: string
  readonly eventId: string
  readonly eventType: string
  readonly isExample: number | null
}

/** The headers that each attempt of a delivery has. */
export const standingHeaders = ({ id, eventId, eventType }: Posted) =>
  ({
    'Content-Type': 'application/json',
    'X-Service-Event-Id': eventId,
    'X-Service-Event-Type': eventType,
    'X-Service-Delivery-Id': id,
    'webhook-id': eventId,
  }) satisfies Partial<Record<DeliveryHeader | 'Content-Type', string>>

/** What is posted: the event as it was published, or the example of its type. */
export const postedBody = ({ isExample, eventType }: Posted, published: Buffer): Buffer =>
  isExample === 1 ? exampleBody(published, eventType) : published
