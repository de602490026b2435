import * as z from 'zod'
import type { JobHandler } from '../../kernel/jobs/jobs.ts'
import type { Parts } from '../../kernel/parts.ts'
import { expireFilms } from './compositions.expire.service.ts'
import { renderComposition } from './compositions.render.service.ts'
import { renderKind } from './compositions.service.ts'

/** Takes films away whose lifetime is over; meant to recur. */
const expireKind = 'compositions.expire'

const payload = z.object({ compositionId: z.string(), renderId: z.string() })

/** Job kinds of this domain. The context is asked for when a job runs: it holds the jobs itself. */
export const compositionsJobs = (app: () => Parts): Readonly<Record<string, JobHandler>> => ({
  [renderKind]: async (job) => renderComposition({ ...app(), scope: job.scope }, payload.parse(job.payload), job),
  [expireKind]: async () => expireFilms(app()),
})

/** A render takes the machine for minutes: one at a time, and the other jobs go on beside it. */
export const compositionsJobLimits = { [renderKind]: 1 }
