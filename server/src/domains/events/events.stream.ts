import { type EndpointMap, endpoint, ServiceError } from '@integrity/protocol'
import type { Context as KoaContext } from 'koa'
import type { Call } from '../../kernel/handler.ts'
import { eventsChannel } from '../../kernel/outbox/outbox.ts'
import { authenticate, authorize } from '../../pipeline/authenticate.ts'
import { readFilters } from './events.service.ts'
import { findStart, followKey, readerOf, readLastEventId } from './events.stream.service.ts'

type StreamCall = Call<EndpointMap['events.stream']>

/** Asked before each heartbeat: is the key still what it was when the stream began? */
const stillAllowed = async ({ app, headers, address }: StreamCall): Promise<boolean> => {
  const spec = endpoint('events.stream')
  try {
    authorize(spec, await authenticate(app, spec, { headers, query: {}, address }), {})
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

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
export const serveStream = async (call: StreamCall, koa: KoaContext): Promise<void> => {
  const { app, scope, input, headers, requestId } = call
  if (app.draining.aborted) throw goingAway()
  const filters = readFilters(input.query)
  const requested = readLastEventId(headers['last-event-id'], input.query.lastEventId)
  if (koa.method === 'HEAD') {
    koa.type = 'text/event-stream'
    koa.body = ''
    return
  }
  const { reader } = app.db
  const start = await findStart(reader, scope, filters, requested)
  if (app.draining.aborted || koa.res.destroyed) throw goingAway()
  const connection = app.streams.open(koa.res, { credential: call.actor.id, stillAllowed: () => stillAllowed(call) })
  koa.respond = false
  // The key may have been revoked while this began: after its streams were ended, and before this one was known.
  if (!(await stillAllowed(call))) return connection.end()
  if (start.gap) connection.send(start.gap)
  try {
    await app.streams.follow({
      key: followKey(scope, filters),
      readAfter: readerOf(reader, scope, filters),
      from: start.from,
      wake: (listener) => app.db.listen(eventsChannel, listener),
      connection,
    })
  } catch (error) {
    // The client comes back with its last id; an answer cannot be given any more.
    app.log.error({ err: error, requestId }, 'an event stream broke off')
  }
}
