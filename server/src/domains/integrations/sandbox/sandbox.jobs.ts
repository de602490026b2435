import { ServiceError } from '@integrity/protocol'
import * as z from 'zod'
import { defineJob } from '../../../kernel/jobs/define-job.ts'
import { failRun, runStep, triesOfStep } from './sandbox.run.service.ts'

const due = z.object({ sessionId: z.string(), step: z.number().int() })

declare module '../../../kernel/jobs.types.ts' {
  interface JobPayloads {
    'sandbox.step': z.output<typeof due>
  }
}

/** A refusal is said in its own words; what went wrong inside goes to the log. */
const wordsOf = (error: unknown): string =>
  error instanceof ServiceError ? error.message : 'the service could not do this step'

export const sandboxJobs = [
  /** Runs one step of a simulation and queues the next. */
  defineJob({
    kind: 'sandbox.step',
    payload: due,
    run: async (call, { sessionId, step: index }, { attempt, signal }) => {
      try {
        await runStep(call, { sessionId, index })
      } catch (error) {
        if (signal.aborted || attempt < triesOfStep) throw error
        call.log.warn({ err: error, sessionId, step: index }, 'a simulation failed')
        await failRun(call, { sessionId, index, words: wordsOf(error) })
      }
    },
  }),
]
