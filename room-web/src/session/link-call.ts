import type { BodyInputOf, EndpointId, EndpointMap, ResultOf } from '@integrity/protocol'
import { type CallOptions, createCall } from '@integrity/protocol/clients/api-call'
import { ApiProblem, problemOf, type Refusal } from '@integrity/protocol/clients/api-problem'

export interface LinkCallOptions<Id extends EndpointId> extends Omit<CallOptions<Id>, 'baseUrl'> {
  /** Where the service lives, without a slash at its end. */
  readonly baseUrl: string
  /** Of the link; none where the request needs none. */
  readonly token?: string | undefined
}

/** A file as the service names it. */
export interface ServiceFile {
  readonly name: string
  readonly blob: Blob
}

export interface LinkCall<Id extends EndpointId> {
  /**
   * One request and the `data` of its answer. Requests under the same `once` have one effect, so that one whose answer was
   * lost can be sent again. Throws `ApiProblem`.
   */
  ask<One extends Id>(id: One, json: BodyInputOf<EndpointMap[One]>, once?: string): Promise<ResultOf<EndpointMap[One]>>
  /** One request that is answered with a file of this content type. Throws `ApiProblem`. */
  file<One extends Id>(id: One, json: BodyInputOf<EndpointMap[One]>, contentType: string): Promise<ServiceFile>
}

const nameOf = (disposition: string | null): string =>
  /filename="([\w. -]{1,100})"/.exec(disposition ?? '')?.[1] ?? 'file'

/** Like `createCall`, for an answer that is not in the service's envelope; there is no limit to how long it takes to come. */
const createFileCall =
  <Id extends EndpointId>({ endpoints, baseUrl, fetch, token }: LinkCallOptions<Id>) =>
  async (id: Id, json: unknown, contentType: string): Promise<ServiceFile> => {
    const { method, path } = endpoints[id]
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (token) headers['authorization'] = `Bearer ${token}`
    let response: Response
    let refusal: { success?: boolean; error?: Refusal } | undefined
    try {
      const body = JSON.stringify(json)
      response = await fetch(`${baseUrl}${path}`, { method, headers, body, redirect: 'error', cache: 'no-store' })
      if (response.ok && response.headers.get('content-type')?.startsWith(contentType))
        return { name: nameOf(response.headers.get('content-disposition')), blob: await response.blob() }
      refusal = (await response.json()) as typeof refusal
    } catch (cause) {
      throw new ApiProblem('later', { cause })
    }
    if (refusal?.success !== false) throw new ApiProblem('later')
    throw problemOf(response, refusal.error ?? {})
  }

/** The requests of a page that a link opened. Trying again is the caller's decision. */
export const createLinkCall = <Id extends EndpointId>(options: LinkCallOptions<Id>): LinkCall<Id> => {
  const { token, baseUrl } = options
  const call = createCall<Id>({ ...options, baseUrl: () => baseUrl })
  const withToken = token === undefined ? {} : { token }
  return {
    ask: async (id, json, once) => {
      const headers: Record<string, string> = once === undefined ? {} : { 'idempotency-key': once }
      return (await call(id, { ...withToken, params: {}, json, headers })) as never
    },
    file: createFileCall(options),
  }
}
