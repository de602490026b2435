import { invalid } from '@integrity/protocol'
import type { Reads } from '../../../kernel/call.ts'
import type { Scope } from '../../../kernel/identity/scope.ts'
import { lastSequence } from '../../../kernel/outbox/outbox.store.ts'
import type { ReadAfter } from '../../../platform/sse/follow.ts'
import { frame } from '../../../platform/sse/frame.ts'
import { type EventFilters, findSequence, matchingAfter, newestMatching, type StoredEvent } from './events.store.ts'

/** A stream that resumes is replayed at most so many events; further behind it is told, and goes on live. */
const maxReplay = 200

const eventId = /^evt_[0-9a-hjkmnp-tv-z]{26}$/

/**
 * The id of the last event the client has: the header wins over the query, an empty one counts as none.
 * Throws invalid_request for what cannot be an event's id.
 */
export const readLastEventId = (header: string | undefined, query: string | undefined): string | undefined => {
  const [name, id] = header ? ['Last-Event-ID', header] : ['lastEventId', query]
  if (!id) return undefined
  if (!eventId.test(id)) throw invalid(name, 'is not the id of an event')
  return id
}

export const eventFrame = (event: StoredEvent): Buffer =>
  frame({ id: event.id, event: event.type, data: event.envelope })

/**
 * `event: gap`, without an id, so that a client that drops again asks for the same place. `requested` is what it asked
 * for, `oldest` the oldest event that a resume could still replay (null when there is none): read
 * `GET /v1/api/events` for what is between.
 */
const gapFrame = (requested: string, oldest: string | null): Buffer =>
  frame({ event: 'gap', data: { requested, oldest } })

export interface StreamStart {
  /** The sequence after which the stream begins. */
  readonly from: number
  /** Sent first, when events are missing. */
  readonly gap: Buffer | undefined
}

/** Where a stream begins. An id that is not (or no longer) known here is a gap: nobody can say what was missed. */
export const findStart = async (
  call: Reads,
  { filters, requested }: { readonly filters: EventFilters; readonly requested: string | undefined },
): Promise<StreamStart> => {
  const { reader, scope } = call
  const last = await lastSequence(reader, scope)
  if (requested === undefined) return { from: last, gap: undefined }
  const from = await findSequence(reader, scope, requested)
  if (from !== undefined) {
    const { count } = await newestMatching(reader, scope, filters, { after: from, last, limit: maxReplay + 1 })
    if (count <= maxReplay) return { from, gap: undefined }
  }
  const { oldest } = await newestMatching(reader, scope, filters, { after: 0, last, limit: maxReplay })
  return { from: last, gap: gapFrame(requested, oldest) }
}

/** Streams with the same key show the same events. */
export const followKey = ({ orgId, environment }: Scope, { types, sessionId }: EventFilters): string =>
  JSON.stringify([orgId, environment, types && [...types].sort(), sessionId])

/** Reads on behalf of one stream: what its filters match, as frames. */
export const readerOf =
  (call: Reads, filters: EventFilters): ReadAfter =>
  async (position, limit) => {
    const events = await matchingAfter(call.reader, call.scope, filters, position, limit)
    return events.map((event) => ({ position: event.seq, frame: eventFrame(event) }))
  }
