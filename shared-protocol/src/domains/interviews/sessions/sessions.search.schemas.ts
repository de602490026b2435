import * as z from 'zod'
import { listOf } from '../../../core/primitives.ts'
import { reviewStates } from '../reviews/reviews.schemas.ts'
import { session } from './sessions.schemas.ts'

/** A total of what is searched is counted so far; `totalIsExact` says whether there is more. */
export const searchTotalMax = 10_000

/** How people narrow their list. Of reviews, as the queue names them. */
export const portalListFilters = {
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .meta({
      description:
        'what words begin with: of `externalId`, of `candidateLabel`, and of the name and the address of whoever was invited; of ' +
        'nothing else. Every word must be found; capitals and signs between words make no difference. Of a session 24 words are ' +
        'looked at, of a word 24 characters, of `q` five words. An erased session is found by its `externalId` alone',
    }),
  reviewState: z
    .enum([...reviewStates, 'none'])
    .optional()
    .meta({
      description: '`none`: no review was opened, since the session has not ended or never began',
    }),
}
export const portalSessionList = listOf(session, {
  totalIsExact: z.boolean().meta({
    description: `false where more than ${searchTotalMax} match \`q\` or \`reviewState\`, of which no more are counted`,
  }),
})
