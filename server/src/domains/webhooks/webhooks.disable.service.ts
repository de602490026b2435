import { disableAfter } from '@integrity/protocol'
import { system } from '../../kernel/actor.ts'
import type { Needs, Writes } from '../../kernel/call.ts'
import { holdDeliveries } from '../deliveries/deliveries.queue.store.ts'
import { type EndpointRow, updateEndpoint } from './webhooks.store.ts'

/** Disables an endpoint whose receiver is gone or has failed too often in a row, and has its admins told. */
export const switchOff = async (
  call: Writes & Needs<'audit' | 'clock' | 'jobs'>,
  endpoint: EndpointRow,
  cause: { failures: number; gone: boolean },
): Promise<void> => {
  const { tx, scope } = call
  if (!cause.gone && cause.failures < disableAfter) return
  const disabledReason = cause.gone
    ? 'the receiver answered 410 Gone'
    : `${cause.failures} deliveries in a row could not be delivered`
  await updateEndpoint(tx, scope, endpoint.id, { status: 'disabled', disabledReason }, call.clock.now())
  await holdDeliveries(tx, scope, endpoint.id)
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
