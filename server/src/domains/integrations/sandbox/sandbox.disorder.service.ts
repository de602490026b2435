import { type DeliveryFault, deliveryFaults } from '@integrity/protocol'
import type { Needs, Writes } from '../../../kernel/call.ts'
import { rehearseDisorder } from '../deliveries/deliveries.rehearsal.service.ts'
import { listEvents } from '../events/events.service.ts'
import { wallMs } from './sandbox.steps.model.ts'
import type { SimulationRow } from './sandbox.store.ts'

/** Interview seconds by which a first attempt is put off: longer than the time between two captures. */
const lateBy = 45
/** Interview seconds after which the same event comes again. */
const againAfter = 75

/** Which of a session's events, counted from 1, are late and which come twice. The start of the session is both. */
const isLate = (position: number): boolean => position % 3 === 2
const isTwice = (position: number): boolean => position % 4 === 2

/** In the scenario that is about them: two of each fault, whatever else is published. */
const faultAt: ReadonlyMap<number, DeliveryFault> = new Map(
  [...deliveryFaults, ...deliveryFaults].map((fault, index) => [index + 3, fault]),
)

/** Does the work; in the scenario that is about it, what it published is delivered out of order and partly twice. */
export const withDisorder = async (
  call: Writes & Needs<'audit' | 'clock' | 'newId' | 'traces'>,
  { run, work }: { readonly run: SimulationRow; readonly work: () => Promise<void> },
): Promise<void> => {
  // Only these wait at their end for what is late.
  if (!run.steps.some(({ act }) => act.do === 'rest')) return work()
  const { sessionId } = run
  const { total: before } = await listEvents(call, { sessionId, limit: 1, offset: 0 })
  await work()
  const page = await listEvents(call, { sessionId, limit: 100, offset: 0 })
  const published = page.items
    .slice(0, page.total - before)
    .map(({ id }, index) => ({ id, position: page.total - index }))
  const idsOf = (chosen: (position: number) => boolean) =>
    published.filter(({ position }) => chosen(position)).map(({ id }) => id)
  const now = call.clock.now()
  await rehearseDisorder(
    { ...call, actor: { kind: 'system', id: run.id } },
    {
      late: { eventIds: idsOf(isLate), at: now + wallMs(run.timeScale, lateBy) },
      faulty:
        run.scenario === 'receiver_faults'
          ? deliveryFaults.map((fault) => ({
              fault,
              at: now,
              eventIds: idsOf((place) => faultAt.get(place) === fault),
            }))
          : [],
      twice: { eventIds: idsOf(isTwice), at: now + wallMs(run.timeScale, againAfter) },
    },
  )
}
