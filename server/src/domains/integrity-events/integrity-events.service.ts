import { type integrityEventBatch, invalid } from '@integrity/protocol'
import type * as z from 'zod'
import type { AppContext } from '../../app/context.ts'
import type { ActorOf } from '../../platform/actor.ts'
import type { AuditEntry } from '../../platform/audit/audit.types.ts'
import type { Reader, Tx } from '../../platform/db/types.ts'
import type { Scope } from '../../platform/scope.ts'
import { applyLaneReport, readLaneReport } from '../lanes/lanes.service.ts'
import {
  admitDelivery,
  admitInstant,
  admitLane,
  lockGate,
  readInstant,
  type SessionGate,
} from '../sessions/sessions.service.ts'
import { addCounts, appendEvents, type EventRow, listEvents, touchSession } from './integrity-events.store.ts'

export { eventCounts, listEvents } from './integrity-events.store.ts'

/** Every event of a session in the order of receipt, page by page. The caller has found the session in this scope. */
export async function* eventPages(reader: Reader, scope: Scope, sessionId: string): AsyncGenerator<EventRow[]> {
  const limit = 500
  for (let offset = 0; ; offset += limit) {
    const page = await listEvents(reader, scope, sessionId, { limit, offset })
    yield page
    if (page.length < limit) return
  }
}

export type Batch = z.output<typeof integrityEventBatch>['events']

/** Events about the recording itself. They are sent whatever was agreed, and may describe the time after the end. */
const aboutRecording = /^(lane|agent|spool|quality|permission)\./

/** Throws when the session does not take one of them now. */
export const admitAll = (session: SessionGate, events: Batch, now: number): void => {
  admitDelivery(session, now)
  for (const [index, event] of events.entries()) {
    const observedAt = readInstant(event.observedAt, `events.${index}.observedAt`)
    if (aboutRecording.test(event.kind)) continue
    admitLane(session, 'signals', observedAt)
    try {
      admitInstant(session, observedAt, now)
    } catch (error) {
      throw invalid(`events.${index}.observedAt`, (error as Error).message)
    }
  }
}

export const countByKind = (rows: readonly { kind: string }[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { kind } of rows) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

export const eventRows = (app: AppContext, events: Batch, now: number): Omit<EventRow, 'position'>[] =>
  events.map((event) => ({
    id: app.newId('obs'),
    clientId: event.clientId,
    kind: event.kind,
    observedAt: Date.parse(event.observedAt),
    monotonicMs: event.monotonicMs ?? null,
    source: event.source,
    data: JSON.stringify(event.data),
    receivedAt: now,
  }))

/** The audit entry of a batch. Positions are no personal data, so the row itself can say which events it stands for. */
export const receivedEntry = (actor: ActorOf<'agent'>, session: SessionGate, accepted: number): AuditEntry => {
  const range = accepted === 0 ? 'none' : `${session.eventCount + 1}-${session.eventCount + accepted}`
  return { actor, action: 'session.events_received', target: `${session.id}#${range}`, sessionId: session.id }
}

/** Stores a batch once for each clientId; what the lanes say of themselves is kept beside it. */
export const ingestEvents = async (
  app: AppContext,
  tx: Tx,
  scope: Scope,
  actor: ActorOf<'agent'>,
  sessionId: string,
  events: Batch,
): Promise<{ accepted: number; duplicates: number }> => {
  const session = await lockGate(tx, scope, sessionId)
  const now = app.clock.now()
  admitAll(session, events, now)
  const reports = events.map(readLaneReport)
  const rows = eventRows(app, events, now)
  const fresh = await appendEvents(tx, scope, sessionId, rows, session.eventCount)
  if (fresh.length > 0) await addCounts(tx, scope, sessionId, countByKind(fresh))
  const eventCount = session.eventCount + fresh.length
  await touchSession(tx, scope, sessionId, eventCount, now)
  const isFresh = new Set<object>(fresh)
  for (const [index, report] of reports.entries())
    if (report && isFresh.has(rows[index]!)) await applyLaneReport(app, tx, scope, actor, session, report)
  await app.audit.append(tx, scope.orgId, receivedEntry(actor, session, fresh.length))
  return { accepted: fresh.length, duplicates: rows.length - fresh.length }
}
