import type { DeliveryFault } from '@integrity/protocol'
import { type By, causeOf, type Needs, type Writes } from '../../../kernel/call.ts'
import { placesAt } from '../webhooks/subscribers.service.ts'
import { insertDeliveries } from './deliveries.log.store.ts'
import { delayFirstAttempt, findUnsent, markFault, type UnsentRow } from './deliveries.rehearsal.store.ts'

interface Chosen {
  readonly eventIds: readonly string[]
  /** Epoch milliseconds. */
  readonly at: number
}

/** A second delivery of the same event, as a replay makes it. */
const duplicate = async (
  call: Writes & By & Needs<'audit' | 'clock' | 'newId' | 'traces'>,
  first: UnsentRow,
  at: number,
  fault?: DeliveryFault,
): Promise<void> => {
  const { tx, scope } = call
  const [place] = await placesAt(call, [first.endpointId])
  if (!place) return
  const id = call.newId('dlv')
  await insertDeliveries(tx, scope, { ...first, now: call.clock.now(), ...causeOf(call) }, [
    { ...place, id, replayOf: first.id },
  ])
  await delayFirstAttempt(tx, scope, id, at)
  if (fault) await markFault(tx, scope, id, fault)
  await call.audit.append(call, {
    action: 'webhook.replayed',
    target: id,
    payload: { endpointId: first.endpointId, replayOf: first.id, eventId: first.eventId },
  })
}

interface Disorder {
  readonly late: Chosen
  readonly twice: Chosen
  /** Events that come once more, and the first time with this fault. */
  readonly faulty?: readonly (Chosen & { readonly fault: DeliveryFault })[]
}

/**
 * For rehearsals in the sandbox: events published in this very transaction reach their endpoints late, or once more
 * later on, whole or with a fault that a receiver must refuse. What was sent already, or belongs to other events, is not touched. Both happen to real receivers anyway;
 * here they happen for certain.
 */
export const rehearseDisorder = async (
  call: Writes & By & Needs<'audit' | 'clock' | 'newId' | 'traces'>,
  { late, twice, faulty = [] }: Disorder,
): Promise<void> => {
  const { tx, scope } = call
  if (scope.environment !== 'sandbox') throw new Error('deliveries are put out of order in the sandbox only')
  // Just published, so due now: the bound only keeps the search within the queue's index.
  const dueFrom = call.clock.now() - 60_000
  const firsts = await findUnsent(tx, scope, { eventIds: twice.eventIds, dueFrom })
  const broken: { first: UnsentRow; at: number; fault: DeliveryFault }[] = []
  for (const { eventIds, at, fault } of faulty)
    for (const first of await findUnsent(tx, scope, { eventIds, dueFrom })) broken.push({ first, at, fault })
  for (const { id } of await findUnsent(tx, scope, { eventIds: late.eventIds, dueFrom }))
    await delayFirstAttempt(tx, scope, id, late.at)
  for (const first of firsts) await duplicate(call, first, twice.at)
  for (const { first, at, fault } of broken) await duplicate(call, first, at, fault)
}
