import type * as z from 'zod'
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
