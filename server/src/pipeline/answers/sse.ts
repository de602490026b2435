import { ServiceError } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import type { EventFeed } from '../../kernel/handler.ts'
import type { PipelineParts } from '../pipeline-parts.ts'

const goingAway = () =>
  new ServiceError('service_unavailable', 'this server is shutting down; try again in a moment', {
    headers: { 'Retry-After': '1' },
  })

/** One that was left open by a client that is gone ends at a heartbeat. */
const tooMany = (limit: number) =>
  new ServiceError(
    'rate_limited',
    `${limit} event streams of this key are open, which is the limit: close one of them`,
    {
      headers: { 'Retry-After': '15' },
    },
  )

/** The owner of a stream, and whether its credential is still valid. */
export interface Listener {
  readonly credential: string
  readonly stillAllowed: () => Promise<boolean>
  readonly requestId: string
}

/**
 * Replays what a client missed and follows live, until the client leaves, falls too far behind, or its key is revoked or
 * rotated: at once in this process, in another as soon as it hears of it. Refusals are ordinary answers, given before the
 * first byte of the stream.
 */
export const sendEvents = async (
  app: PipelineParts,
  koa: KoaContext,
  { credential, stillAllowed, requestId }: Listener,
  { first, ...feed }: EventFeed,
): Promise<void> => {
  if (app.draining.aborted || koa.res.destroyed) throw goingAway()
  if (koa.method === 'HEAD') {
    koa.type = 'text/event-stream'
    koa.body = ''
    return
  }
  const { streamsPerKey } = app.config.limits
  if (app.streams.countOf(credential) >= streamsPerKey) throw tooMany(streamsPerKey)
  const left = new AbortController()
  koa.res.once('close', () => left.abort())
  if (!(await app.shared.places.take(`streams ${credential}`, streamsPerKey, left.signal))) throw tooMany(streamsPerKey)
  if (app.draining.aborted || koa.res.destroyed) throw goingAway()
  const connection = app.streams.open(koa.res, { credential, stillAllowed })
  koa.respond = false
  // The key may have been revoked while this began: after its streams were ended, and before this one was known.
  if (!(await stillAllowed())) return connection.end()
  if (first) connection.send(first)
  try {
    await app.streams.follow({ ...feed, connection })
  } catch (error) {
    // The client comes back with its last id; an answer cannot be given any more.
    app.log.error({ err: error, requestId }, 'an event stream broke off')
  }
}
