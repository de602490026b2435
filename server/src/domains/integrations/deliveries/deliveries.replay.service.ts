import { maxReplayed, ServiceError } from '@integrity/protocol'
import { causeOf, type Needs, type WriteCall } from '../../../kernel/call.ts'
import type { Actor } from '../../../kernel/identity/actor.ts'
import { iso } from '../../../kernel/time.ts'
import { stretchAt } from '../webhooks/subscribers.service.ts'
import { lockEndpoint } from '../webhooks/webhooks.service.ts'
import { type DeliveryRow, insertReplays, newestSince } from './deliveries.log.store.ts'
import { wakeDispatchers } from './deliveries.queue.service.ts'

const isUnderWay = ({ status }: DeliveryRow): boolean => status === 'pending' || status === 'retrying'

/** The newest delivery of each event, in the order of the log; none of an event that is still being sent. */
const onceEach = (newestFirst: readonly DeliveryRow[]): DeliveryRow[] => {
  const byEvent = new Map<string, DeliveryRow>()
  for (const row of newestFirst) if (!byEvent.has(row.eventId)) byEvent.set(row.eventId, row)
  const underWay = new Set(newestFirst.filter(isUnderWay).map(({ eventId }) => eventId))
  return [...byEvent.values()].filter(({ eventId }) => !underWay.has(eventId)).toReversed()
}

/** How far the log is looked through: an event may be in it several times. */
const mostRead = maxReplayed * 4

const tooMany = () =>
  new ServiceError('conflict', `more than ${maxReplayed} events were sent since then; choose a later instant`, {
    details: [{ path: 'since', message: `must leave at most ${maxReplayed} events` }],
  })

/** Sends every event of an endpoint's log since an instant once more: for a receiver that lost what it had. */
export const replaySince = async (
  call: WriteCall<Actor> & Needs<'db' | 'traces'>,
  { endpointId, since }: { readonly endpointId: string; readonly since: number },
): Promise<number> => {
  const { tx, scope } = call
  const endpoint = await lockEndpoint(call, endpointId)
  if (endpoint.status === 'disabled')
    throw new ServiceError('conflict', 'this webhook endpoint is disabled; enable it first')
  const rows = await newestSince(tx, scope, { endpointId, since, limit: mostRead })
  const again = onceEach(rows)
  if (rows.length === mostRead || again.length > maxReplayed) throw tooMany()
  if (again.length > 0) {
    const first = await stretchAt(call, { endpointId, n: again.length })
    const queued = again.map(({ id: replayOf, eventId, eventSeq, eventType, isExample }, at) => ({
      id: call.newId('dlv'),
      endpointId,
      position: first + at,
      replayOf,
      eventId,
      eventSeq,
      eventType,
      isExample,
    }))
    await insertReplays(tx, scope, { now: call.clock.now(), ...causeOf(call) }, queued)
    wakeDispatchers(call)
  }
  await call.audit.append(call, {
    action: 'webhook.replayed_since',
    target: endpointId,
    payload: { since: iso(since), replayed: again.length },
  })
  return again.length
}
