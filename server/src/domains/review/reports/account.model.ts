import { type LaneName, laneOfSource, timedLanes } from '@integrity/protocol'
import { breakSpans, withBreaks } from './account.breaks.model.ts'
import { accountsOfDisplays, displayIdsOf } from './account.displays.model.ts'
import { heldSpans, withHeld } from './account.held.model.ts'
import { laid } from './account.layers.model.ts'
import { layersOf, observedOf, summed, type Told, wholeTime } from './account.source.model.ts'
import type { AccountInput, HeldObject, SideViewInput, SourceAccount } from './account.types.ts'
import { wantedOf } from './account.wanted.model.ts'
import { sideViewReports } from './coverage.side-view.model.ts'

/** Lanes that have an account, in the order in which they are shown. */
export const accountLanes = [...timedLanes, 'side_view', 'room_camera'] as const satisfies readonly LaneName[]

const newestOf = ({ windows, gaps, objects }: Told): number => {
  let newest = 0
  for (const { toAt } of windows) newest = Math.max(newest, toAt)
  for (const { toAt } of gaps) newest = Math.max(newest, toAt)
  for (const { capturedAt, durationMs } of objects) newest = Math.max(newest, capturedAt + (durationMs ?? 0))
  return newest
}

/** The accounts of a lane: first its own, then those of its displays. */
const accountsOfLane = (input: AccountInput, lane: LaneName, told: Told): SourceAccount[] => {
  const { config } = input.session
  const place = { source: lane, lane, displayId: null }
  const wanted = wantedOf(input, lane, newestOf(told))
  if (!wanted) return [summed(place, [])]
  const displayIds = displayIdsOf(told)
  if (displayIds.length > 0) return accountsOfDisplays(told, displayIds, { lane, wanted, config })
  const stretches = wholeTime(wanted, (whole) => laid(layersOf(told, { lane, whole, config })))
  return [summed(place, withHeld(stretches, heldSpans(told.objects, observedOf(stretches), config)))]
}

/** Of the phone's lane, what it said itself; where it said nothing is for the account to find. */
const phoneTold = ({ session, sideView }: AccountInput, objects: readonly HeldObject[]): Told => {
  const { windows, gaps } = sideViewReports(session, sideView ?? { phones: [], answers: [] })
  return { windows, gaps: gaps.filter(({ reason }) => reason !== 'not_reported'), objects }
}

const compare = (a: string | null, b: string | null): number => ((a ?? '') < (b ?? '') ? -1 : a === b ? 0 : 1)

/** A phone that was away delivers its words late: in the order of their times, whatever the order in which they came. */
const inOrder = (sideView: SideViewInput): SideViewInput => ({
  ...sideView,
  phones: sideView.phones.map((phone) => ({
    ...phone,
    beats: phone.beats.toSorted(
      (a, b) => a.at - b.at || compare(a.recording, b.recording) || compare(a.reason, b.reason),
    ),
  })),
})

/**
 * What was captured of every lane, display, camera and device of a session, to the millisecond: a gap wins over what was
 * seen, and what nobody accounts for is a gap. The order of what was told changes nothing.
 */
export const accountOf = ({ sideView, ...told }: AccountInput): SourceAccount[] => {
  const input: AccountInput = { ...told, sideView: sideView && inOrder(sideView) }
  const windows = Map.groupBy(input.windows, ({ lane }) => lane)
  const gaps = Map.groupBy(input.gaps, ({ lane }) => lane)
  const objects = Map.groupBy(input.objects, ({ source }) => laneOfSource(source))
  const breaks = breakSpans(input)
  return accountLanes.flatMap((lane) => {
    const own = objects.get(lane) ?? []
    const ofLane =
      lane === 'side_view'
        ? phoneTold(input, own)
        : { windows: windows.get(lane) ?? [], gaps: gaps.get(lane) ?? [], objects: own }
    return accountsOfLane(input, lane, ofLane).map((account) => withBreaks(account, breaks))
  })
}
