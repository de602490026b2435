import type { Clock } from '../../shared/clock.ts'
import { createLiveSocket, type LiveSocketOptions } from './live-socket.ts'
import type { OpenLive } from './ports.ts'

/** Live links to one server. Whatever message arrives on a link, the session asks the server for the policy again. */
export const liveOver =
  (url: string, clock: Clock, connect?: LiveSocketOptions['connect']): OpenLive =>
  ({ token, sessionId }, { onNews, onWatched, onState }) =>
    createLiveSocket({
      url,
      token,
      sessionId,
      clock,
      random: Math.random,
      onHello: onNews,
      onConfigChanged: onNews,
      onEnded: onNews,
      onWatched,
      onState,
      ...(connect ? { connect } : {}),
    })
