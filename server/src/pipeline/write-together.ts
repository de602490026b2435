import type { EndpointSpec } from '@integrity/protocol'
import { inTx } from '../kernel/call.ts'
import type { TogetherWrite } from '../kernel/handler.ts'
import { CommitFailed, isTimeUp } from '../platform/db/errors.ts'
import { Together } from '../platform/together.ts'
import type { AnyRequest } from './any-request.ts'
import type { SentAnswer } from './idempotency/idempotent.ts'
import type { PipelineParts } from './pipeline-parts.ts'

/**
 * Full groups of one organisation that are on their way at once where each holds a connection and waits for the last one's
 * audit head. Where all of them share a commit, each more is a fsync less.
 */
const groupsApart = 2

/** Requests of one endpoint that share transactions, those of each organisation and environment for themselves. */
export interface JoinedWrites {
  add(request: AnyRequest): Promise<SentAnswer>
}

/**
 * Joins the writes of requests that wait at the same time. When the shared work fails, whoever's fault that is, nothing
 * is left of it and each request gets the transaction of its own that it would have had; when COMMIT fails, or a
 * lock was waited for as long as one waits, all are refused.
 */
export const joinWrites = (
  app: PipelineParts,
  together: TogetherWrite<EndpointSpec>,
  toAnswer: (result: unknown) => SentAnswer,
  alone: (request: AnyRequest) => Promise<SentAnswer>,
): JoinedWrites => {
  const write = async (requests: readonly AnyRequest[]) => {
    const [{ call: first }] = requests as readonly [AnyRequest]
    try {
      return await app.requestDb.transact(async (tx) => {
        const results = await together.write(
          inTx(first, tx),
          requests.map(({ call, input }) => ({ actor: call.actor, requestId: call.requestId, input })),
        )
        return results.map((result): PromiseSettledResult<SentAnswer> | undefined =>
          result?.status === 'fulfilled' ? { status: 'fulfilled', value: toAnswer(result.value) } : result,
        )
      })
    } catch (error) {
      if (error instanceof CommitFailed || isTimeUp(error)) throw error
      return undefined
    }
  }
  const groups = new Together<AnyRequest, SentAnswer>({
    write,
    alone,
    limit: together.limit,
    atOnce: app.db.sharesCommits ? Number.POSITIVE_INFINITY : groupsApart,
  })
  return {
    add: (request) => {
      const { orgId, environment } = request.call.scope
      return groups.add(`${orgId} ${environment}`, together.subject(request.input), request)
    },
  }
}
