import * as z from 'zod'
import { sessionCredentialKinds } from '../../../core/auth.ts'
import { defineEvent, type EventSpec } from '../../../core/event.ts'
import { id, instant } from '../../../core/primitives.ts'
import { wordOf, wordsOf } from '../../../core/query-words.ts'
import { laneHealthStates, laneName } from '../../interviews/lanes/lanes.registry.ts'
import { sessionState } from '../../interviews/sessions/sessions.schemas.ts'
import { evidenceSender, evidenceSource, evidenceType } from '../../recording/evidence/evidence.schemas.ts'

const session = z.object({ id: id('ses'), externalId: z.string().nullable(), state: sessionState })
const health = z.enum([...laneHealthStates, 'unknown'])
const companion = z.object({ id: id('cpn') })
const readyItem = z.object({
  id: id('evd'),
  evidenceType,
  source: evidenceSource.optional(),
  sentBy: evidenceSender.optional(),
  sizeBytes: z.number().int(),
  capturedAt: instant,
})
const ofSession = z.object({ session })
const ofCompanion = z.object({ session, companion, at: instant })

/** The event catalogue: what is published, by webhook and by stream, with the same envelope and the same id. */
export const eventCatalog = [
  defineEvent({ type: 'session.scheduled', summary: 'A session was created.', data: ofSession }),
  defineEvent({
    type: 'session.started',
    summary: 'The agent registered with consent; the session is live.',
    data: ofSession,
  }),
  defineEvent({
    type: 'session.ended',
    summary: 'The session ended.',
    data: z.object({ session, reason: z.string().nullable() }),
    words: ['reason'],
  }),
  defineEvent({
    type: 'consent.declined',
    summary: 'The candidate declined what the agent, the phone or the room asked for.',
    data: z.object({ session, device: z.enum(sessionCredentialKinds), lanes: z.array(laneName), at: instant }),
  }),
  defineEvent({
    type: 'evidence.ready',
    summary: 'Evidence objects were stored: one, or several that came together.',
    data: z.object({
      session,
      items: z
        .array(readyItem)
        .optional()
        .meta({ description: 'what was stored, at least one; absent in events of earlier versions' }),
      evidence: readyItem.optional().meta({ description: 'the same where it is one' }),
    }),
  }),
  defineEvent({ type: 'companion.paired', summary: 'A phone claimed its join code.', data: ofCompanion }),
  defineEvent({
    type: 'companion.placement_confirmed',
    summary: 'The phone was placed and the photo taken.',
    data: ofCompanion,
  }),
  defineEvent({ type: 'companion.recording_started', summary: 'The phone records.', data: ofCompanion }),
  defineEvent({ type: 'companion.recording_stopped', summary: 'The phone stopped recording.', data: ofCompanion }),
  defineEvent({
    type: 'companion.interrupted',
    summary: 'The phone reported an interruption, or went silent.',
    data: ofCompanion,
  }),
  defineEvent({ type: 'companion.resumed', summary: 'The phone is back.', data: ofCompanion }),
  defineEvent({
    type: 'source.health_changed',
    summary: 'A lane went up, degraded or went down, and stayed so for three seconds.',
    data: z.object({
      session,
      lane: laneName,
      displayId: z.string().nullable(),
      previous: health,
      current: health,
      since: instant,
      reason: z.string().nullable(),
    }),
    words: ['displayId', 'reason'],
  }),
  defineEvent({
    type: 'report.finalized',
    summary: 'A report was signed off.',
    data: z.object({ session, report: z.object({ revision: z.number().int() }) }),
  }),
  defineEvent({
    type: 'report.stale',
    summary: 'Something changed after the sign-off.',
    data: z.object({ session, report: z.object({ revision: z.number().int() }) }),
  }),
  defineEvent({
    type: 'audit.checkpoint',
    summary: 'A checkpoint of the audit trail was signed, where the organisation asked to get them.',
    data: z.object({
      rows: z.number().int().meta({ description: 'rows of the trail that it covers' }),
      checkpoint: z.string().meta({ description: 'a signed note (c2sp.org/tlog-checkpoint): keep it as it is' }),
      verifierKey: z.string(),
    }),
  }),
  defineEvent({
    type: 'webhook.test',
    summary: 'A real signed delivery, on request.',
    data: z.object({ webhook: z.object({ id: id('whk') }) }),
  }),
] as const
export type EventSpecOf = (typeof eventCatalog)[number]
export type EventType = EventSpecOf['type']
export type EventData<T extends EventType> = z.input<Extract<EventSpecOf, { type: T }>['data']>
export const eventTypes = eventCatalog.map((event) => event.type) as [EventType, ...EventType[]]

/** One that this version does not know is refused: it would match nothing, and read as if nothing had happened. */
export const eventTypeFilter = wordOf(eventTypes)
/** Each is a search of its own. */
export const eventTypesFilter = wordsOf(eventTypes, { most: 50 }).meta({
  description: `event types, comma-separated: of ${eventTypes.join(', ')}`,
})

/** Fields of an event's data that an erasure of its session empties. */
export const eventWords = (type: string): readonly string[] => {
  const event: EventSpec | undefined = eventCatalog.find((candidate) => candidate.type === type)
  return event?.words ?? []
}
