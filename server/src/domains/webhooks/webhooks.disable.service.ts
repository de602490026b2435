import { disableAfter } from '@integrity/protocol'
import { system } from '../../kernel/actor.ts'
import type { AppContext } from '../../kernel/parts.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { Tx } from '../../platform/db/types.ts'
import { mailAttempts } from '../../platform/mail/mail.ts'
import { holdDeliveries } from './delivery.queue.store.ts'
import { type EndpointRow, updateEndpoint } from './webhooks.store.ts'

/** The job that tells an organisation's admins. */
export const disabledNotice = 'webhook.disabled_notice'

/** Disables an endpoint whose receiver is gone or has failed too often in a row, and has its admins told. */
export const switchOff = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  endpoint: EndpointRow,
  cause: { failures: number; gone: boolean },
): Promise<void> => {
  if (!cause.gone && cause.failures < disableAfter) return
  const disabledReason = cause.gone
    ? 'the receiver answered 410 Gone'
    : `${cause.failures} deliveries in a row could not be delivered`
  await updateEndpoint(tx, scope, endpoint.id, { status: 'disabled', disabledReason }, app.clock.now())
  await holdDeliveries(tx, scope, endpoint.id)
  await app.audit.append(tx, scope.orgId, {
    actor: system,
    action: 'webhook.disabled',
    target: endpoint.id,
    payload: { reason: disabledReason },
  })
  await app.jobs.enqueue(tx, scope, {
    kind: disabledNotice,
    payload: { endpointId: endpoint.id, reason: disabledReason },
    dedupeKey: endpoint.id,
    maxAttempts: mailAttempts,
  })
}
