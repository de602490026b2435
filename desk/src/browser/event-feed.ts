import { urlOf } from '@integrity/client/request'
import { endpointTable } from '../generated/desk-endpoints.ts'

export interface FeedQuery {
  readonly environment: 'live' | 'sandbox'
  /** Of this interview alone. */
  readonly sessionId?: string | undefined
  /** Goes on after this event. */
  readonly lastEventId?: string | undefined
}

export interface FeedListener {
  readonly onOpen: () => void
  /** The connection broke; the browser opens it again by itself, after the last event. */
  readonly onCut: () => void
  /** The text of an event's envelope. */
  readonly onEvent: (text: string) => void
  /** Events between what was seen and what comes are missing here. */
  readonly onGap: () => void
  /** The service has ended it, or refused to begin it: the browser does not try again. */
  readonly onEnd: () => void
}

/** Follows what is published in an organisation. Answers how to stop. */
export type FollowEvents = (
  orgId: string,
  about: { readonly query: FeedQuery; readonly types: readonly string[] },
  listener: FeedListener,
) => () => void

export const createEventFeed =
  (baseUrl: string): FollowEvents =>
  (orgId, { query, types }, listener) => {
    const [, path = ''] = endpointTable['portal.events.stream'].split(' ')
    const source = new EventSource(urlOf({ baseUrl, token: undefined }, path, { orgId }, query))
    source.onopen = listener.onOpen
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) listener.onEnd()
      else listener.onCut()
    }
    for (const type of types)
      source.addEventListener(type, (event: MessageEvent<string>) => listener.onEvent(event.data))
    source.addEventListener('gap', listener.onGap)
    return () => source.close()
  }
