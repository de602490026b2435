import { ClientError } from '@integrity/protocol/client'
import { expect } from 'vitest'

/** The refusal a call must end with. */
export const refusalOf = async (call: Promise<unknown>): Promise<ClientError> => {
  const outcome = await call.then(
    (answer: unknown) => ({ answer }),
    (error: unknown) => ({ error }),
  )
  if ('answer' in outcome) expect.fail(`was not refused: ${JSON.stringify(outcome.answer)}`)
  if (outcome.error instanceof ClientError) return outcome.error
  throw outcome.error
}
