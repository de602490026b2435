import { invalid, readKinds } from '@integrity/protocol'
import type { Needs, Reads, WriteCall, Writes } from '../../../kernel/call.ts'
import type { ActorOf } from '../../../kernel/identity/actor.ts'
import { inWords, misfitsOf } from '../../../platform/schema-words.ts'
import { notePermission } from '../sessions/consent/permissions.service.ts'
import { withdrawLane } from '../sessions/joining/registration.service.ts'
import { readInstant } from '../sessions/sessions.policy.ts'
import type { SessionGate } from '../sessions/sessions.types.ts'
import { settleLater } from './lanes.settling.service.ts'
import { findHealth, listGaps, listHealth, listSpans, saveHealth } from './lanes.store.ts'
import type { LaneReport, ReadKind } from './lanes.types.ts'

const isReadKind = (kind: string): kind is ReadKind => Object.hasOwn(readKinds, kind)

const checkSpan = (span: { fromAt: string; toAt: string }, path: string): void => {
  const fromAt = readInstant(span.fromAt, `${path}.fromAt`)
  if (readInstant(span.toAt, `${path}.toAt`) < fromAt) throw invalid(`${path}.toAt`, 'must not be before fromAt')
}

/** Reads an event of a lane kind; `undefined` for every other kind. Bad data is refused with its place in the batch. */
export const readLaneReport = (
  event: { kind: string; data: unknown; observedAt: string; clientId: string },
  index: number,
): LaneReport | undefined => {
  if (!isReadKind(event.kind)) return undefined
  const parsed = readKinds[event.kind].safeParse(event.data, inWords)
  if (!parsed.success) {
    const [issue] = misfitsOf(parsed.error.issues)
    throw invalid(['events', index, 'data', ...(issue?.path ?? [])].join('.'), issue?.message ?? 'is not valid')
  }
  const { fromAt, toAt } = parsed.data as { fromAt?: string; toAt?: string }
  if (fromAt !== undefined && toAt !== undefined) checkSpan({ fromAt, toAt }, `events.${index}.data`)
  return {
    kind: event.kind,
    data: parsed.data,
    at: Date.parse(event.observedAt),
    clientId: event.clientId,
  } as LaneReport
}

const applyHealth = async (
  call: Writes & Needs<'clock' | 'jobs'>,
  session: SessionGate,
  report: Extract<LaneReport, { kind: 'lane.health' }>,
): Promise<void> => {
  const { tx, scope } = call
  const { lane, displayId = '', health, reason = null } = report.data
  const key = { sessionId: session.id, lane, displayId }
  const before = await findHealth(tx, scope, key)
  // Events of a spool come late and out of order: only one newer than the last word says what is so now.
  if (before && before.since > report.at) return
  const changedAt = before?.health === health ? (before.changedAt ?? before.since) : report.at
  await saveHealth(tx, scope, key, { health, reason, since: report.at, changedAt })
  if (before?.told !== health) await settleLater(call, session.id)
}

/** What is left to be applied of a batch: of what it says of the health of one lane and display the newest alone. */
export const settledReports = (told: readonly (LaneReport | undefined)[]): LaneReport[] => {
  const reports = told.filter((report) => report !== undefined)
  const newest = new Map<string, LaneReport>()
  for (const report of reports) {
    if (report.kind !== 'lane.health') continue
    const key = JSON.stringify([report.data.lane, report.data.displayId ?? ''])
    const known = newest.get(key)
    if (!known || known.at <= report.at) newest.set(key, report)
  }
  const kept = new Set(newest.values())
  return reports.filter((report) => report.kind !== 'lane.health' || kept.has(report))
}

/** Keeps what such an event says: health, a withdrawn consent, a permission. Gaps and windows are the ledger's. */
export const applyLaneReport = async (
  call: WriteCall<ActorOf<'agent'>>,
  { session, report }: { readonly session: SessionGate; readonly report: LaneReport },
): Promise<void> => {
  if (report.kind === 'lane.health') return applyHealth(call, session, report)
  if (report.kind === 'lane.withdrawn')
    return withdrawLane(call, { lane: report.data.lane, at: new Date(report.at).toISOString() })
  if (report.kind === 'permission.changed')
    return notePermission(call, { sessionId: session.id, report: { ...report.data, at: report.at } })
}

/** How each lane and display stands, by its own word. The caller has found the session in this scope. */
export const healthOf = (call: Reads, sessionId: string) => listHealth(call.reader, call.scope, sessionId)

/** The times that lanes accounted for, and the gaps that they told of. The caller has found the session in this scope. */
export const spansOf = (call: Reads, sessionId: string) => listSpans(call.reader, call.scope, sessionId)

/** The gaps that lanes told of, in the order of time. The caller has found the session in this scope. */
export const gapsOf = (call: Reads, sessionId: string) => listGaps(call.reader, call.scope, sessionId)
