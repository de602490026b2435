import type { eventEnvelope } from '@integrity/protocol'
import type * as z from 'zod'
import type { By, Reads } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { lastSequence } from '../../../kernel/outbox/outbox.store.ts'
import { type List, type PageQuery, pageView, readPage } from '../../../kernel/paging.ts'
import { typesFor } from './events.policy.ts'
import {
  countMatching,
  type EventFilters,
  findEnvelopeText,
  pageOfAll,
  pageOfMatching,
  type StoredEvent,
} from './events.store.ts'

type Envelope = z.output<typeof eventEnvelope>

export interface FilterQuery {
  /** Comma-separated; its parts have passed the declared schema. */
  readonly types?: string | undefined
  readonly sessionId?: string | undefined
}

export const readFilters = ({ types, sessionId }: FilterQuery): EventFilters => ({
  types: types === undefined ? undefined : [...new Set(types.split(',').map((type) => type.trim()))],
  sessionId,
})

/** The same for a member, who sees the events of types that their role may see. */
export const memberFilters = ({ actor }: By<ActorOf<'user'>>, query: FilterQuery): EventFilters => {
  const { types, sessionId } = readFilters(query)
  return { types: typesFor(actor.permissions, types), sessionId }
}

const isUnfiltered = ({ types, sessionId }: EventFilters): boolean => types === undefined && sessionId === undefined

/** A page of published events, newest first. */
export const listEvents = (call: Reads, query: FilterQuery & PageQuery) =>
  pageOfEvents(call, { query, filters: readFilters(query) })

export const pageOfEvents = async (
  call: Reads,
  { query, filters }: { readonly query: PageQuery; readonly filters: EventFilters },
) => {
  const { reader, scope } = call
  const all = isUnfiltered(filters)
  const total = await countMatching(reader, scope, filters)
  const last = all ? await lastSequence(reader, scope) : 0
  const list: List<StoredEvent> = {
    of: ['events', scope, filters],
    kinds: ['number'],
    keyOf: ({ seq }) => [seq],
    dense: all,
    fetch: (stretch) =>
      all ? pageOfAll(reader, scope, last, stretch) : pageOfMatching(reader, scope, filters, stretch),
  }
  return pageView(await readPage(list, query), total, ({ envelope }) => JSON.parse(envelope) as Envelope)
}

/** The envelope of a published event as the text that every consumer gets. */
export const findEnvelope = async (call: Reads, seq: number): Promise<string> => {
  const { scope } = call
  const envelope = await findEnvelopeText(call.reader, scope, seq)
  if (envelope === undefined) throw new Error(`event ${seq} of ${scope.orgId} is missing`)
  return envelope
}
