import type { EndpointMap, ResultOf } from '@integrity/protocol'
import type { endpointTable } from '../generated/requests-endpoints.ts'
import type { LinkCall } from './link-call.ts'

/** As the contract has them; importing it would bring all its schemas into the page. */
export const copyDays = 30
export const mostCharacters = 10_000

export type RequestsCall = LinkCall<keyof typeof endpointTable>

/** What the service says to the holder of a link: the session, what is kept of it, and the requests. */
export type RequestsFacts = ResultOf<EndpointMap['candidateRequests.view']>
export type OwnRequest = RequestsFacts['requests'][number]
export type RequestKind = OwnRequest['kind']

/** Somebody has still to decide, or to read. */
export const isOpenRequest = ({ status }: OwnRequest): boolean => status === 'received' || status === 'acknowledged'

/** Whether the approved copy can be downloaded at this time, epoch milliseconds. */
export const hasCopy = ({ kind, status, accessCopyUntil }: OwnRequest, now: number): boolean =>
  kind === 'access' && status === 'approved' && accessCopyUntil !== null && Date.parse(accessCopyUntil) > now
