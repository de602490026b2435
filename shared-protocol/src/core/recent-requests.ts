import * as z from 'zod'
import { instant } from './primitives.ts'

/** Requests that are shown of one credential. */
export const maxRecentRequests = 100

/** One answered request, without anything of its parameters or of whom it was about. */
export const recentRequest = z.object({
  at: instant,
  method: z.string(),
  path: z.string().meta({ description: 'as it stands in this reference: `/v1/api/sessions/{id}`' }),
  status: z.number().int(),
  ms: z.number().int().meta({ description: 'from its arrival to its answer' }),
  requestId: z.string(),
  errorCode: z.string().nullable().meta({ description: 'the code of the refusal; null where there was none' }),
})
export const recentRequests = z.object({ items: z.array(recentRequest).max(maxRecentRequests) })
