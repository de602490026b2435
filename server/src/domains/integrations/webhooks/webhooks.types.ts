import type { Environment } from '../../../kernel/identity/scope.ts'

export interface EndpointRow {
  readonly id: string
  readonly environment: Environment
  readonly url: string
  readonly eventTypes: string[]
  readonly description: string | null
  /** Of address, event types and description: one more each time that they are set. */
  readonly version: number
  readonly status: 'enabled' | 'disabled'
  readonly disabledReason: string | null
  readonly consecutiveFailures: number
  readonly wrappedSecret: string
  /** The secret before the last rotation, where that had an overlap, and until when it signs, in epoch milliseconds. */
  readonly previousSecret: string | null
  readonly previousUntil: number | null
  /** Deliveries ever made for it: the newest one's position. */
  readonly deliveryCount: number
  readonly createdAt: number
  readonly updatedAt: number
}
