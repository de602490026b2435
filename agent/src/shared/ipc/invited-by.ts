import * as z from 'zod'

/** When the interview takes place, as the service says it. */
export const appointment = z.object({ startsAt: z.string(), durationMinutes: z.number(), timeZone: z.string() })
/** Who invited, and where they can be answered. */
export const inviterFacts = z.object({ name: z.string().nullable(), replyTo: z.string() })
export type InviterFacts = z.output<typeof inviterFacts>
