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
/** What is asked for on the page itself. */
export type WishKind = Exclude<RequestKind, 'accommodation' | 'aids'>

/** Somebody has still to decide, or to read. */
export const isOpenRequest = ({ status }: OwnRequest): boolean => status === 'received' || status === 'acknowledged'

/** Whether the approved copy can be downloaded at this time, epoch milliseconds. */
export const hasCopy = ({ kind, status, accessCopyUntil }: OwnRequest, now: number): boolean =>
  kind === 'access' && status === 'approved' && accessCopyUntil !== null && Date.parse(accessCopyUntil) > now

/** A page of the moments that reviewers are shown, and one of them. */
export type MomentsPage = ResultOf<EndpointMap['candidateRequests.moments']>
export type OwnMoment = MomentsPage['items'][number]

/** A page of what an approved copy holds, and one object on it. */
export type Contents = ResultOf<EndpointMap['candidateRequests.contents']>
export type KeptItem = Contents['items'][number]
export type ContentsOverview = NonNullable<Contents['overview']>
export type LaneStrip = ContentsOverview['lanes'][number]

/** What a player needs of an approved copy but the bytes. */
export type OwnIndex = ResultOf<EndpointMap['candidateRequests.reelIndex']>

/** Start and length of a part of the interview on a line of 1000 units. */
export const placeOn = (
  { fromAt, toAt }: { readonly fromAt: string; readonly toAt: string },
  whole: { readonly from: number; readonly to: number },
): { readonly x: number; readonly width: number } => {
  const scale = 1000 / Math.max(1, whole.to - whole.from)
  const inside = (at: string): number => Math.min(1000, Math.max(0, (Date.parse(at) - whole.from) * scale))
  const x = inside(fromAt)
  // A short one can still be seen.
  return { x: Math.min(x, 997), width: Math.max(3, inside(toAt) - x) }
}

/** The address of a download on the service that the page came from, whatever the service calls itself. */
export const ownAddress = (url: string, baseUrl: string): string => `${baseUrl}${url.slice(url.indexOf('/v1/'))}`
