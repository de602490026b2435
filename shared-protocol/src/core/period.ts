import * as z from 'zod'
import { instant } from './primitives.ts'

/** The filters `from` (inclusive) and `to` (exclusive) of a list; `what` is the instant that they bound. */
export const periodOf = (what: string) => ({
  from: instant.optional().meta({ description: `${what} from, inclusive; not after \`to\`` }),
  to: instant.optional().meta({ description: `${what} to, exclusive` }),
})

type Bounded = z.ZodObject<{ from: z.ZodOptional<z.ZodType<string>>; to: z.ZodOptional<z.ZodType<string>> }>

/**
 * Refuses a query whose `from` is after its `to`: bounds that were swapped would otherwise read as "nothing there".
 * Equal bounds are an empty period, and allowed.
 */
export const inOrder = <T extends Bounded>(query: T): T =>
  query.refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) <= Date.parse(to), {
    path: ['from'],
    message: 'must not be after to',
  })

/** Days that a time of days may have. */
export const maxPeriodDays = 366
const dayMs = 86_400_000

/** `from` and `to` of counts by the day: whole days of UTC, at most a year of them; 30 days up to now unless given. */
export const boundedPeriod = (what: string) =>
  inOrder(
    z.object({
      from: instant.optional().meta({ description: `${what} from the day of this instant on; 30 days unless given` }),
      to: instant.optional().meta({ description: `${what} up to the day of this instant; now unless given` }),
    }),
  ).refine(({ from, to }) => !from || !to || Date.parse(to) - Date.parse(from) <= (maxPeriodDays - 1) * dayMs, {
    path: ['from'],
    message: `must not be more than ${maxPeriodDays} days before to`,
  })
