import type { eventEnvelope } from '@integrity/protocol'
import type * as z from 'zod'
import type { Reads } from '../../kernel/call.ts'
import { lastSequence } from '../../kernel/outbox/outbox.store.ts'
import { countMatching, type EventFilters, findEnvelopeText, pageOfAll, pageOfMatching } from './events.store.ts'

export interface FilterQuery {
  /** Comma-separated; its parts have passed the declared schema. */
  readonly types?: string | undefined
  readonly sessionId?: string | undefined
}

export const readFilters = ({ types, sessionId }: FilterQuery): EventFilters => ({
  types: types === undefined ? undefined : [...new Set(types.split(',').map((type) => type.trim()))],
  sessionId,
})

const isUnfiltered = ({ types, sessionId }: EventFilters): boolean => types === undefined && sessionId === undefined

/** A page of published events, newest first. Rows and total are of one moment: events published since are not in it. */
export const listEvents = async (call: Reads, query: FilterQuery & { limit: number; offset: number }) => {
  const { reader, scope } = call
  const { limit, offset } = query
  const filters = readFilters(query)
  const last = await lastSequence(reader, scope)
  const all = isUnfiltered(filters)
  const page = { last, limit, offset }
  const rows = all ? await pageOfAll(reader, scope, page) : await pageOfMatching(reader, scope, filters, page)
  const total = all ? last : await countMatching(reader, scope, filters, last)
  const items = rows.map((row) => JSON.parse(row.envelope) as z.output<typeof eventEnvelope>)
  return { items, total, limit, offset }
}

/** The envelope of a published event as the text that every consumer gets. */
export const findEnvelope = async (call: Reads, seq: number): Promise<string> => {
  const { scope } = call
  const envelope = await findEnvelopeText(call.reader, scope, seq)
  if (envelope === undefined) throw new Error(`event ${seq} of ${scope.orgId} is missing`)
  return envelope
}
