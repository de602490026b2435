import { type ErrorDetail, ServiceError, sessionBounds } from '@integrity/protocol'
import type { Reads, Writes } from '../../../kernel/call.ts'
import { addGaps, addWindows, keyOf, type Told } from './lanes.ledger.model.ts'
import type { Ledger } from './lanes.ledger-compare.model.ts'
import { listGaps, listHealth, listWindows, removeGaps, removeWindows, saveGaps, saveWindows } from './lanes.store.ts'
import type { LaneGap, LaneReport, LaneWindow } from './lanes.types.ts'

/** Reports of a batch, each in its place; undefined for an event that is none. */
export type Reports = readonly (LaneReport | undefined)[]

const placeOf = ({ clientId, data }: Extract<LaneReport, { kind: 'lane.gap' | 'lane.coverage' }>) => {
  const { lane, displayId = '', fromAt, toAt } = data
  return { clientId, lane, displayId, fromAt: Date.parse(fromAt), toAt: Date.parse(toAt) }
}

/** The gaps and windows that a batch tells of. */
export const toldBy = (reports: Reports): Ledger => {
  const gaps: Told<LaneGap>[] = []
  const windows: Told<LaneWindow>[] = []
  for (const report of reports) {
    if (report?.kind === 'lane.gap') gaps.push({ ...placeOf(report), reason: report.data.reason })
    if (report?.kind !== 'lane.coverage') continue
    const { expectedSeconds, observedSeconds } = report.data
    windows.push({ ...placeOf(report), expectedSeconds, observedSeconds })
  }
  return { gaps, windows }
}

const displayOf = (report: LaneReport | undefined): string =>
  report && 'displayId' in report.data ? (report.data.displayId ?? '') : ''

const heldOf = async ({ reader, scope }: Reads, sessionId: string): Promise<Ledger> => {
  const [gaps, windows] = await Promise.all([listGaps(reader, scope, sessionId), listWindows(reader, scope, sessionId)])
  return { gaps, windows }
}

const isOfLedger = (report: LaneReport | undefined): boolean =>
  report?.kind === 'lane.gap' || report?.kind === 'lane.coverage'

/** The clientIds of the newest rows beyond a bound. */
const beyond = <T extends Told<LaneGap> | Told<LaneWindow>>(
  held: readonly T[],
  { count, written }: { readonly count: number; readonly written: readonly T[] },
  bound: number,
): readonly string[] => {
  const known = new Set(held.map(keyOf))
  const added = written.filter((row) => !known.has(keyOf(row))).map(({ clientId }) => clientId)
  // A batch that makes them fewer, or no more, is always taken.
  return count > bound && count > held.length ? added.slice(-(count - Math.max(bound, held.length))) : []
}

const places = (reports: Reports, isAtFault: (report: LaneReport) => boolean, message: string): ErrorDetail[] =>
  reports.flatMap((report, index) => (report && isAtFault(report) ? [{ path: `events.${index}.data`, message }] : []))

const strangeDisplays = async (call: Reads, sessionId: string, held: Ledger, reports: Reports) => {
  const told = new Set(reports.map(displayOf).filter(Boolean))
  if (told.size === 0) return []
  const health = await listHealth(call.reader, call.scope, sessionId)
  const known = new Set([...health, ...held.gaps, ...held.windows].map(({ displayId }) => displayId).filter(Boolean))
  const fresh = [...told].filter((displayId) => !known.has(displayId))
  return fresh.slice(Math.max(0, sessionBounds.displays - known.size))
}

/** Refuses what a session has no room for. The refusal names each event that is too much; the others can be sent again. */
export const admitReports = async (
  call: Reads,
  { sessionId, reports }: { readonly sessionId: string; readonly reports: Reports },
): Promise<void> => {
  const ofDisplay = reports.some((report) => displayOf(report) !== '')
  if (!ofDisplay && !reports.some(isOfLedger)) return
  const held = await heldOf(call, sessionId)
  const told = toldBy(reports)
  const gaps = new Set(beyond(held.gaps, addGaps(held.gaps, told.gaps), sessionBounds.gaps))
  const windows = new Set(beyond(held.windows, addWindows(held.windows, told.windows), sessionBounds.windows))
  const displays = new Set(await strangeDisplays(call, sessionId, held, reports))
  const { gaps: most, windows: mostWindows, displays: mostDisplays } = sessionBounds
  const details = [
    ...places(reports, (r) => r.kind === 'lane.gap' && gaps.has(r.clientId), `a session holds ${most} gaps`),
    ...places(
      reports,
      (r) => r.kind === 'lane.coverage' && windows.has(r.clientId),
      `a session holds ${mostWindows} stretches of coverage`,
    ),
    ...places(reports, (r) => displays.has(displayOf(r)), `a session holds ${mostDisplays} displays`),
  ]
  if (details.length === 0) return
  const [first] = details
  throw new ServiceError('invalid_request', `${first!.path}: ${first!.message}`, { details })
}

/** Keeps the gaps and windows of a batch, each joined with its neighbours. */
export const keepReports = async (
  call: Writes,
  { sessionId, reports }: { readonly sessionId: string; readonly reports: Reports },
): Promise<void> => {
  if (!reports.some(isOfLedger)) return
  const { tx, scope } = call
  const held = await heldOf({ reader: tx, scope }, sessionId)
  const told = toldBy(reports)
  const gaps = addGaps(held.gaps, told.gaps)
  const windows = addWindows(held.windows, told.windows)
  await removeGaps(tx, scope, sessionId, gaps.removed)
  await removeWindows(tx, scope, sessionId, windows.removed)
  await saveGaps(tx, scope, sessionId, gaps.written)
  await saveWindows(tx, scope, sessionId, windows.written)
}
