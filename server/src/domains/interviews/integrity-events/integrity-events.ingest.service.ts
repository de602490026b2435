import {
  type integrityEventBatch,
  invalid,
  isAboutRecording,
  isIntegrityEventKind,
  isObserverOff,
  ServiceError,
  sessionBounds,
} from '@integrity/protocol'
import type * as z from 'zod'
import { rangeText } from '../../../kernel/audit/audit.records.ts'
import type { ActedEntry } from '../../../kernel/audit/audit.types.ts'
import type { Needs, Reads, WriteCall } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { admitReports, keepReports } from '../lanes/lanes.ledger.service.ts'
import { applyLaneReport, readLaneReport, settledReports } from '../lanes/lanes.service.ts'
import { noteChange } from '../reviews/changes.service.ts'
import { admitEvents } from '../sessions/joining/room.policy.ts'
import { admitDelivery, admitInstant, admitLane, readInstant } from '../sessions/sessions.policy.ts'
import { lockFreeGates, lockGate } from '../sessions/sessions.read.service.ts'
import type { LockedGate } from '../sessions/sessions.types.ts'
import { eventsHash } from './integrity-events.binding.model.ts'
import { knownClientIds } from './integrity-events.known.store.ts'
import {
  addCounts,
  appendEvents,
  type EventRow,
  eventCounts,
  positionsAfter,
  touchSessions,
} from './integrity-events.store.ts'

type Batch = z.output<typeof integrityEventBatch>['events']

/** One batch of one session. */
export interface Delivery extends Needs<'requestId'> {
  readonly actor: ActorOf<'agent'>
  readonly sessionId: string
  readonly events: Batch
}
export interface Stored {
  readonly accepted: number
  readonly duplicates: number
}

/** When each was observed. Throws when the session does not take one of them now. */
const admitAll = (session: LockedGate, events: Batch, now: number): number[] => {
  admitDelivery(session, now)
  return events.map((event, index) => {
    const observedAt = readInstant(event.observedAt, `events.${index}.observedAt`)
    if (isAboutRecording(event.kind)) return observedAt
    admitLane(session, 'signals', observedAt)
    try {
      admitInstant(session, observedAt, now)
    } catch (error) {
      throw invalid(`events.${index}.observedAt`, (error as Error).message)
    }
    return observedAt
  })
}

const eventRows = (
  call: Needs<'newId'>,
  events: Batch,
  observedAt: readonly number[],
  now: number,
): Omit<EventRow, 'place' | 'position'>[] =>
  events.map((event, index) => ({
    id: call.newId('obs'),
    clientId: event.clientId,
    kind: event.kind,
    observedAt: observedAt[index]!,
    monotonicMs: event.monotonicMs ?? null,
    source: event.source,
    data: JSON.stringify(event.data),
    receivedAt: now,
  }))

type Rows = ReturnType<typeof eventRows>

/** Room for a batch. What is stored already takes none: it is looked for only where the whole batch has no room. */
const admitRoom = async (
  { reader, scope }: Reads,
  { session, rows }: { readonly session: LockedGate; readonly rows: Rows },
  now: number,
): Promise<void> => {
  const amountOf = (some: Rows) => ({
    count: some.length,
    dataChars: some.reduce((sum, { data }) => sum + data.length, 0),
  })
  try {
    admitEvents(session, amountOf(rows), now)
  } catch (refusal) {
    const clientIds = rows.map(({ clientId }) => clientId)
    const known = await knownClientIds(reader, scope, { sessionId: session.id, clientIds })
    if (known.size === 0) throw refusal
    const fresh = rows.filter(({ clientId }) => !known.has(clientId))
    if (fresh.length > 0) admitEvents(session, amountOf(fresh), now)
  }
}

const admit = async (
  call: Reads & Needs<'newId'>,
  session: LockedGate,
  { actor, requestId, events: told }: Delivery,
  now: number,
) => {
  // Of an observer that is off nothing is stored, whatever an older agent sends.
  const events = told.filter(({ kind }) => !isObserverOff(session.config.observersOff, kind))
  const observedAt = admitAll(session, events, now)
  const reports = events.map(readLaneReport)
  await admitKinds(call, session.id, events)
  await admitReports(call, { sessionId: session.id, reports })
  const rows = eventRows(call, events, observedAt, now)
  await admitRoom(call, { session, rows }, now)
  return { actor, requestId, session, rows, reports }
}
type Admitted = Awaited<ReturnType<typeof admit>>

/** Refuses kinds of its own beyond those that a session has room for; what the registry knows is always taken. */
const admitKinds = async (call: Reads, sessionId: string, events: readonly { kind: string }[]): Promise<void> => {
  const told = new Set(events.map(({ kind }) => kind).filter((kind) => !isIntegrityEventKind(kind)))
  if (told.size === 0) return
  const counts = await eventCounts(call.reader, call.scope, sessionId, 'all')
  const known = Object.keys(counts).filter((kind) => !isIntegrityEventKind(kind))
  const fresh = [...told].filter((kind) => !Object.hasOwn(counts, kind))
  const beyond = new Set(fresh.slice(Math.max(0, sessionBounds.otherKinds - known.length)))
  if (beyond.size === 0) return
  const message = `a session holds ${sessionBounds.otherKinds} kinds of event that this service does not know`
  const details = events.flatMap(({ kind }, n) => (beyond.has(kind) ? [{ path: `events.${n}.kind`, message }] : []))
  throw new ServiceError('invalid_request', `${details[0]!.path}: ${message}`, { details })
}

const settle = async <T>(work: () => Promise<T>): Promise<PromiseSettledResult<T>> => {
  try {
    return { status: 'fulfilled', value: await work() }
  } catch (reason) {
    if (!(reason instanceof ServiceError)) throw reason
    return { status: 'rejected', reason }
  }
}

const countByKind = (rows: readonly { kind: string }[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { kind } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/** Each batch has an actor and a request of its own. */
type Batches = Omit<WriteCall, 'actor' | 'requestId'>

/** The audit entry of a batch. Positions are no personal data, so the row itself can say which events it stands for. */
const receivedEntry = (
  orgId: string,
  { actor, session }: Admitted,
  fresh: readonly Admitted['rows'][number][],
): ActedEntry => {
  const { id: sessionId, eventCount } = session
  const target = rangeText(sessionId, eventCount, fresh.length)
  const entry = { actor, action: 'session.events_received', target, sessionId } as const
  return fresh.length === 0 ? entry : { ...entry, commitsTo: eventsHash({ orgId, sessionId }, eventCount + 1, fresh) }
}

/** Stores what was admitted, once for each clientId, and what the lanes say of themselves beside it. Answers how many were new. */
const store = async (call: Batches, admitted: readonly Admitted[], now: number) => {
  const { tx, scope } = call
  if (admitted.length === 0) return []
  const batches = admitted.map(({ session, rows }) => ({ sessionId: session.id, rows, after: session }))
  const fresh = await appendEvents(tx, scope, batches)
  const accepted = fresh.map(({ length }) => length)
  const counts = fresh.flatMap((rows, n) =>
    Array.from(countByKind(rows), ([kind, count]) => ({ sessionId: batches[n]!.sessionId, kind, n: count })),
  )
  const touched = batches.map(({ sessionId, after }, n) => ({ sessionId, ...positionsAfter(after, fresh[n]!) }))
  for (const [n, { actor, requestId, session, rows, reports }] of admitted.entries()) {
    const isFresh = new Set<object>(fresh[n])
    const told = reports.filter((_, index) => isFresh.has(rows[index]!))
    for (const report of settledReports(told)) await applyLaneReport({ ...call, actor, requestId }, { session, report })
    await keepReports(call, { sessionId: session.id, reports: told })
  }
  const entries = admitted.map((batch, n) => receivedEntry(scope.orgId, batch, fresh[n]!))
  await Promise.all([
    addCounts(tx, scope, counts),
    touchSessions(tx, scope, touched, now),
    call.audit.appendAll(call, entries),
  ])
  for (const [n, { actor, requestId, session }] of admitted.entries())
    if (session.state === 'ended' && accepted[n]! > 0)
      await noteChange({ ...call, actor, requestId }, { session, cause: 'evidence' })
  return accepted
}

/** What came of each delivery; `undefined` for one whose session is not among the gates. */
const ingest = async (
  call: Batches,
  gates: ReadonlyMap<string, LockedGate>,
  deliveries: readonly Delivery[],
): Promise<(PromiseSettledResult<Stored> | undefined)[]> => {
  const now = call.clock.now()
  const outcomes = await Promise.all(
    deliveries.map(async (delivery) => {
      const session = gates.get(delivery.sessionId)
      return session && settle(() => admit(call, session, delivery, now))
    }),
  )
  const admitted = outcomes.flatMap((outcome) => (outcome?.status === 'fulfilled' ? [outcome.value] : []))
  const accepted = await store(call, admitted, now)
  return outcomes.map((outcome) => {
    if (outcome?.status !== 'fulfilled') return outcome
    const { rows } = outcome.value
    const fresh = accepted[admitted.indexOf(outcome.value)]!
    return { status: 'fulfilled', value: { accepted: fresh, duplicates: rows.length - fresh } }
  })
}

/**
 * Stores the batches of several sessions, no session twice, as `ingestEvents` would have stored each. A batch that its
 * session does not take is refused by itself, one whose session is not free is left out; anything else that fails, fails all.
 */
export const ingestTogether = async (
  call: Batches,
  deliveries: readonly Delivery[],
): Promise<(PromiseSettledResult<Stored> | undefined)[]> => {
  const ids = deliveries.map(({ sessionId }) => sessionId)
  return ingest(call, await lockFreeGates(call, ids), deliveries)
}

/** Stores a batch once for each clientId; what the lanes say of themselves is kept beside it. */
export const ingestEvents = async (
  call: WriteCall<ActorOf<'agent'>>,
  { sessionId, events }: { readonly sessionId: string; readonly events: Batch },
): Promise<Stored> => {
  const gates = new Map([[sessionId, await lockGate(call, sessionId)]])
  const [outcome] = await ingest(call, gates, [{ actor: call.actor, requestId: call.requestId, sessionId, events }])
  if (outcome?.status !== 'fulfilled') throw outcome?.reason
  return outcome.value
}
