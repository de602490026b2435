import * as z from 'zod'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { appendErasure } from '../../../platform/erasures-file.ts'

const erased = z.object({ sessionId: z.string(), erasedAt: z.number() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'sessions.record_erasure': z.output<typeof erased>
  }
}

export const sessionsJobs = [
  defineJob({
    kind: 'sessions.record_erasure',
    payload: erased,
    attempts: 1000,
    run: ({ config, scope }, { sessionId, erasedAt }) =>
      appendErasure(config.erasuresFile, { at: new Date(erasedAt).toISOString(), orgId: scope.orgId, sessionId }),
  }),
]
