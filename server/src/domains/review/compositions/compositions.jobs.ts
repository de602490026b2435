import * as z from 'zod'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { expireFilms } from './compositions.expire.service.ts'
import { renderComposition } from './compositions.render.service.ts'

const wanted = z.object({ compositionId: z.string(), renderId: z.string() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'compositions.render': z.output<typeof wanted>
  }
}

export const compositionsJobs = [
  /** Renders the film of one request. It takes the machine for minutes: one at a time, and the other jobs go on beside it. */
  defineJob({
    kind: 'compositions.render',
    payload: wanted,
    limit: 1,
    heavy: true,
    run: (call, ref, run) => renderComposition(call, { ref, ...run }),
  }),
  /** Takes films away whose lifetime is over. */
  defineJob({ kind: 'compositions.expire', everyMs: 3_600_000, run: expireFilms }),
]
