import { type CallerOptions, createCaller } from '@integrity/client/caller'
import type { EveryEndpoint } from '@integrity/client/contract-types'
import type { BodyInputOf, EndpointId, EndpointMap, ResultOf } from '@integrity/protocol'
import { readFile, type ServiceFile } from '@integrity/shared-ui/session/service-file'

/** `token`: of the link; none where the request needs none. */
export type LinkCallOptions<Id extends EndpointId> = Pick<
  CallerOptions<Id>,
  'table' | 'baseUrl' | 'token' | 'fetch' | 'onDate'
>

export interface LinkCall<Id extends EndpointId> {
  /**
   * One request and the `data` of its answer. Requests under the same `once` have one effect, so that one whose answer was
   * lost can be sent again. Throws `IntegrityError`.
   */
  ask<One extends Id>(id: One, json: BodyInputOf<EndpointMap[One]>, once?: string): Promise<ResultOf<EndpointMap[One]>>
  /** One request that is answered with a file of this content type. Throws `IntegrityError`. */
  file<One extends Id>(id: One, json: BodyInputOf<EndpointMap[One]>, contentType: string): Promise<ServiceFile>
  /** One request whose answer is read while it comes. Throws `IntegrityError`. */
  stream<One extends Id>(id: One, json: BodyInputOf<EndpointMap[One]>, signal: AbortSignal): Promise<Response>
}

/** For an answer, milliseconds; there is no limit to how long a file takes to come. */
const timeoutMs = 20_000
/** For an answer that begins at once and comes for long, milliseconds. */
const streamMs = 60_000

/** The requests of a page that a link opened. Trying again is the caller's decision. */
export const createLinkCall = <Id extends EndpointId>(options: LinkCallOptions<Id>): LinkCall<Id> => {
  const patient = createCaller<Pick<EveryEndpoint, Id>>(options)
  const caller = createCaller<Pick<EveryEndpoint, Id>>({ ...options, timeoutMs })
  return {
    ask: async (id, body, once) => {
      const input = { body, ...(once === undefined ? {} : { idempotencyKey: once }) }
      return (await caller.call(id, input as never)).data as never
    },
    stream: async (id, body, signal) => {
      const input = { body, signal, timeoutMs: streamMs }
      return (await patient.call(id, input as never)).data as Response
    },
    file: async (id, body, contentType) => readFile(await patient.call(id, { body } as never), contentType),
  }
}
