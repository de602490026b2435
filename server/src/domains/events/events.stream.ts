import { type EndpointMap, ServiceError } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import type { EndpointCall, Input } from '../../kernel/handler.ts'
import { eventsChannel } from '../../kernel/outbox/outbox.ts'
import { readFilters } from './events.service.ts'
import { findStart, followKey, readerOf, readLastEventId } from './events.stream.service.ts'

type Stream = EndpointMap['events.stream']

const goingAway = () =>
  new ServiceError('service_unavailable', 'this server is going down; come back in a moment', {
    headers: { 'Retry-After': '1' },
  })

/**
 * Replays what a client missed and follows live, until the client leaves, falls too far behind, or its key is revoked or
 * rotated: at once in this process, at the next heartbeat in another.
 * Frames are `id: evt_…`, `event: <type>`, `data: <envelope>`. Refusals are ordinary answers, given before the first
 * byte of the stream.
 */
export const serveStream = async (call: EndpointCall<Stream>, input: Input<Stream>, koa: KoaContext): Promise<void> => {
  const { reader, scope, headers, requestId } = call
  if (call.draining.aborted) throw goingAway()
  const filters = readFilters(input.query)
  const requested = readLastEventId(headers['last-event-id'], input.query.lastEventId)
  if (koa.method === 'HEAD') {
    koa.type = 'text/event-stream'
    koa.body = ''
    return
  }
  const start = await findStart({ reader, scope }, filters, requested)
  if (call.draining.aborted || koa.res.destroyed) throw goingAway()
  const connection = call.streams.open(koa.res, { credential: call.actor.id, stillAllowed: call.stillAllowed })
  koa.respond = false
  // The key may have been revoked while this began: after its streams were ended, and before this one was known.
  if (!(await call.stillAllowed())) return connection.end()
  if (start.gap) connection.send(start.gap)
  try {
    await call.streams.follow({
      key: followKey(scope, filters),
      readAfter: readerOf({ reader, scope }, filters),
      from: start.from,
      wake: (listener) => call.db.listen(eventsChannel, listener),
      connection,
    })
  } catch (error) {
    // The client comes back with its last id; an answer cannot be given any more.
    call.log.error({ err: error, requestId }, 'an event stream broke off')
  }
}
