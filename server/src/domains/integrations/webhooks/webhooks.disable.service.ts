import { disableAfter } from '@integrity/protocol'
import type { Needs, Writes } from '../../../kernel/call.ts'
import { system } from '../../../kernel/identity/actor.ts'
import { clearFailures, countFailure, lockEndpoints } from './failures.store.ts'
import { findEndpoint, updateEndpoint } from './webhooks.store.ts'
import type { EndpointRow } from './webhooks.types.ts'

/** Disables an endpoint that has failed too often in a row, and has its admins told. */
const switchOff = async (
  call: Writes & Needs<'audit' | 'clock' | 'deliveryQueue' | 'jobs'>,
  endpoint: EndpointRow,
  failures: number,
): Promise<void> => {
  const { tx, scope } = call
  if (failures < disableAfter) return
  const disabledReason = `${failures} deliveries in a row could not be delivered`
  await updateEndpoint(tx, scope, endpoint.id, { status: 'disabled', disabledReason }, call.clock.now())
  await call.deliveryQueue.hold(call, endpoint.id)
  await call.audit.append(
    { tx, scope, actor: system },
    {
      action: 'webhook.disabled',
      target: endpoint.id,
      payload: { reason: disabledReason },
    },
  )
  await call.jobs.enqueue(call, {
    kind: 'webhook.disabled_notice',
    payload: { endpointId: endpoint.id, reason: disabledReason },
    dedupeKey: endpoint.id,
  })
}

/** A dead letter counts against its endpoint, which is disabled when it was one too many. */
export const noteDeadLetter = async (
  call: Writes & Needs<'audit' | 'clock' | 'deliveryQueue' | 'jobs'>,
  endpointId: string,
): Promise<void> => {
  const { tx, scope } = call
  const count = await countFailure(tx, scope, endpointId)
  const endpoint = await findEndpoint(tx, scope, endpointId)
  if (endpoint && count?.status === 'enabled') await switchOff(call, endpoint, count.failures)
}

/**
 * Deliveries that arrived end the failures in a row of these endpoints. They are held until the commit: whoever publishes
 * holds them too before it counts their deliveries.
 */
export const noteArrivals = async ({ tx, scope }: Writes, endpointIds: readonly string[]): Promise<void> => {
  await lockEndpoints(tx, scope, endpointIds)
  await clearFailures(tx, scope, endpointIds)
}
