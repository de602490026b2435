import type { EndpointSpec } from '@integrity/protocol'
import type { AnyCall, TogetherWrite } from '../kernel/handler.ts'
import type { AppContext } from '../kernel/parts.ts'
import { Together } from '../platform/together.ts'
import type { SentAnswer } from './idempotency/idempotent.ts'

/** Requests of one endpoint that share transactions, those of each organisation and environment for themselves. */
export interface JoinedWrites {
  add(call: AnyCall): Promise<SentAnswer>
}

/**
 * Joins the writes of requests that wait at the same time. When the shared work fails, whoever's fault that is, nothing
 * is left of it and each request gets the transaction of its own that it would have had; when COMMIT fails, all are refused.
 */
export const joinWrites = (
  app: AppContext,
  together: TogetherWrite<EndpointSpec>,
  toAnswer: (result: unknown) => SentAnswer,
  alone: (call: AnyCall) => Promise<SentAnswer>,
): JoinedWrites => {
  const write = async (calls: readonly AnyCall[]) => {
    const [{ scope }] = calls as readonly [AnyCall]
    let complete = false
    try {
      return await app.db.transactListed(async (tx) => {
        complete = false
        const results = await together.write({ app, tx, scope, calls })
        const answers = results.map((result): PromiseSettledResult<SentAnswer> | undefined =>
          result?.status === 'fulfilled' ? { status: 'fulfilled', value: toAnswer(result.value) } : result,
        )
        complete = true
        return answers
      })
    } catch (error) {
      if (complete) throw error
      return undefined
    }
  }
  const groups = new Together<AnyCall, SentAnswer>({ write, alone, limit: together.limit })
  return {
    add: (call) => groups.add(`${call.scope.orgId} ${call.scope.environment}`, together.subject(call), call),
  }
}
