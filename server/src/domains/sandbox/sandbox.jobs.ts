import { ServiceError } from '@integrity/protocol'
import * as z from 'zod'
import type { JobHandler } from '../../kernel/jobs/jobs.ts'
import type { Parts } from '../../kernel/parts.ts'
import { failRun, runStep, stepKind, triesOfStep } from './sandbox.run.service.ts'

const payload = z.object({ sessionId: z.string(), step: z.number().int() })

/** A refusal is said in its own words; what went wrong inside goes to the log. */
const wordsOf = (error: unknown): string =>
  error instanceof ServiceError ? error.message : 'the service could not do this step'

/** Job kinds of this domain. The context is asked for when a job runs: it holds the jobs itself. */
export const sandboxJobs = (context: () => Parts): Readonly<Record<string, JobHandler>> => ({
  [stepKind]: async ({ scope, payload: data, attempt, signal }) => {
    const app = context()
    const { sessionId, step: index } = payload.parse(data)
    try {
      await runStep({ ...app, scope }, { sessionId, index })
    } catch (error) {
      if (signal.aborted || attempt < triesOfStep) throw error
      app.log.warn({ err: error, sessionId, step: index }, 'a simulation failed')
      await failRun({ ...app, scope }, { sessionId, index, words: wordsOf(error) })
    }
  },
})
