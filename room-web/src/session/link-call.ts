import { type CallerOptions, createCaller } from '@integrity/client/caller'
import type { Reply } from '@integrity/client/calls'
import type { EveryEndpoint } from '@integrity/client/contract-types'
import { IntegrityError } from '@integrity/client/errors'
import type { BodyInputOf, EndpointId, EndpointMap, ResultOf } from '@integrity/protocol'

/** `token`: of the link; none where the request needs none. */
export type LinkCallOptions<Id extends EndpointId> = Pick<
  CallerOptions<Id>,
  'table' | 'baseUrl' | 'token' | 'fetch' | 'onDate'
>

/** A file as the service names it. */
export interface ServiceFile {
  readonly name: string
  readonly blob: Blob
}

export interface LinkCall<Id extends EndpointId> {
  /**
   * One request and the `data` of its answer. Requests under the same `once` have one effect, so that one whose answer was
   * lost can be sent again. Throws `IntegrityError`.
   */
  ask<One extends Id>(id: One, json: BodyInputOf<EndpointMap[One]>, once?: string): Promise<ResultOf<EndpointMap[One]>>
  /** One request that is answered with a file of this content type. Throws `IntegrityError`. */
  file<One extends Id>(id: One, json: BodyInputOf<EndpointMap[One]>, contentType: string): Promise<ServiceFile>
}

const nameOf = (disposition: string | null): string =>
  /filename="([\w. -]{1,100})"/.exec(disposition ?? '')?.[1] ?? 'file'

const readFile = async ({ data, status, headers }: Reply<unknown>, contentType: string): Promise<ServiceFile> => {
  if (!headers.get('content-type')?.startsWith(contentType))
    throw new IntegrityError({ code: 'not_the_service', status, message: `this is no ${contentType}` })
  const name = nameOf(headers.get('content-disposition'))
  try {
    return { name, blob: await (data as Response).blob() }
  } catch (cause) {
    throw new IntegrityError({ code: 'no_answer', message: 'the file broke off', cause })
  }
}

/** For an answer, milliseconds; there is no limit to how long a file takes to come. */
const timeoutMs = 20_000

/** The requests of a page that a link opened. Trying again is the caller's decision. */
export const createLinkCall = <Id extends EndpointId>(options: LinkCallOptions<Id>): LinkCall<Id> => {
  const patient = createCaller<Pick<EveryEndpoint, Id>>(options)
  const caller = createCaller<Pick<EveryEndpoint, Id>>({ ...options, timeoutMs })
  return {
    ask: async (id, body, once) => {
      const input = { body, ...(once === undefined ? {} : { idempotencyKey: once }) }
      return (await caller.call(id, input as never)).data as never
    },
    file: async (id, body, contentType) => readFile(await patient.call(id, { body } as never), contentType),
  }
}
