import type * as z from 'zod'

/** The version of the event catalogue, in every envelope. */
export const catalogVersion = '2026-09-04'

export interface EventSpec {
  readonly type: string
  readonly summary: string
  /** Small and flat; never evidence bytes or a candidate's words. */
  readonly data: z.ZodObject
}
export const defineEvent = <const E extends EventSpec>(event: E): E => event
