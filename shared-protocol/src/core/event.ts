import type * as z from 'zod'

/** The version of the event catalogue, in every envelope. */
export const catalogVersion = '2026-09-04'

export interface EventSpec {
  readonly type: string
  readonly summary: string
  /** Small and flat; never evidence bytes or a candidate's words. */
  readonly data: z.ZodObject
  /** Fields of the data in which somebody's words may stand; null once their session was erased. */
  readonly words?: readonly string[]
}
export const defineEvent = <const E extends EventSpec>(event: E): E => event
