import { IntegrityError } from '@integrity/client/errors'
import { expect } from 'vitest'

/** The refusal a call must end with. */
export const refusalOf = async (call: Promise<unknown>): Promise<IntegrityError> => {
  const outcome = await call.then(
    (answer: unknown) => ({ answer }),
    (error: unknown) => ({ error }),
  )
  if ('answer' in outcome) expect.fail(`was not refused: ${JSON.stringify(outcome.answer)}`)
  if (outcome.error instanceof IntegrityError) return outcome.error
  throw outcome.error
}
