import * as z from 'zod'
import { inOrder, periodOf } from '../../../core/period.ts'
import { clientId, freeDataOf, freeObject, id, instant, paging } from '../../../core/primitives.ts'
import { eventCategories } from './integrity-events.kinds.ts'

export const maxEventsPerBatch = 500
/** Characters of an event's `data` as JSON. What agents say has some hundred; the networks of a computer with many have 2,000. */
export const maxEventDataChars = 8192

export const integrityEventInput = z.object({
  clientId,
  kind: z
    .string()
    .min(1)
    .max(64)
    .regex(/^[a-z0-9_]+(\.[a-z0-9_]+)*$/, 'must be dotted lower-case words such as display.added'),
  observedAt: instant,
  monotonicMs: z.number().min(0).optional().meta({ description: 'monotonic clock of the machine, milliseconds' }),
  source: z.string().min(1).max(64),
  data: freeDataOf(maxEventDataChars).default({}),
})
export const integrityEventBatch = z.object({ events: z.array(integrityEventInput).min(1).max(maxEventsPerBatch) })

export const integrityEvent = z
  .object({
    id: id('obs'),
    sessionId: id('ses'),
    clientId: z.string(),
    position: z.number().int().meta({ description: 'place in the order of receipt, from 1' }),
    kind: z.string(),
    category: z.enum(eventCategories),
    observedAt: instant,
    monotonicMs: z.number().nullable(),
    source: z.string(),
    data: freeObject,
    receivedAt: instant,
  })
  .meta({ id: 'IntegrityEvent' })
/** Bookkeeping is what agents tell of the recording itself: it is no event of the interview, and is given when it is asked for. */
export const eventListQuery = inOrder(
  z.object({
    ...paging,
    ...periodOf('observed'),
    category: z
      .enum([...eventCategories, 'all'])
      .default('observation')
      .meta({
        description:
          '`observation`: what happened on the computer; `bookkeeping`: what agent and lanes say of the recording itself, `lane.*` and `agent.*` among it',
      }),
  }),
)
export const ingestHealth = z.object({
  backoffMs: z.number().int().meta({ description: 'how long the client should wait before it sends more' }),
})
