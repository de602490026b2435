import { accountEdgeMs, type LaneName, type SessionConfig, type Span, unionOf } from '@integrity/protocol'
import type { LaneGap, LaneWindow } from '../../interviews/lanes/lanes.types.ts'
import { heldSpans, recordedSpans, stillSpans, withHeld } from './account.held.model.ts'
import { filled, type Layer, laid, merged, partsIn, type Stated } from './account.layers.model.ts'
import { layersOf, observedOf, summed, type Told, wholeTime } from './account.source.model.ts'
import { gapLayers } from './account.told.model.ts'
import type { SourceAccount } from './account.types.ts'
import type { Wanted } from './account.wanted.model.ts'

interface Place {
  readonly lane: LaneName
  readonly wanted: Wanted
  readonly config: SessionConfig
}

const sourceOfDisplay = (lane: LaneName, displayId: string): string => `${lane}:${displayId}`
const displayOf = (source: string): string => (source.includes(':') ? source.slice(source.indexOf(':') + 1) : '')

/** The displays that anything was told or stored of, in order. */
export const displayIdsOf = ({ windows, gaps, objects }: Told): string[] => {
  const ids = new Set<string>()
  for (const { displayId } of windows) ids.add(displayId)
  for (const { displayId } of gaps) ids.add(displayId)
  for (const { source } of objects) ids.add(displayOf(source))
  ids.delete('')
  return [...ids].sort()
}

/** Of a span that a lane was wanted in: what is said of it. */
type SaidIn = (span: Span) => readonly Stated[]

/** What was told of the lane itself, and of each display. */
const splitByDisplay = (told: Told, ids: readonly string[], { lane, config }: Place) => {
  const windows = Map.groupBy(told.windows, ({ displayId }) => displayId)
  const gaps = Map.groupBy(told.gaps, ({ displayId }) => displayId)
  const objects = Map.groupBy(told.objects, ({ source }) => displayOf(source))
  const toldOf = (id: string): Told => ({
    windows: windows.get(id) ?? [],
    gaps: gaps.get(id) ?? [],
    objects: objects.get(id) ?? [],
  })
  const ofLane = toldOf('')
  return ids.map((displayId) => {
    const own = toldOf(displayId)
    // All that holds for a display: what is said of the whole lane, too.
    const all: Told = {
      windows: own.windows.length > 0 ? own.windows : ofLane.windows,
      gaps: ofLane.gaps.length > 0 ? [...ofLane.gaps, ...own.gaps] : own.gaps,
      objects: own.objects,
    }
    const said = new Map<Span, readonly Stated[]>()
    const saidIn: SaidIn = (whole) => {
      const known = said.get(whole) ?? laid(layersOf(all, { lane, whole, config }))
      said.set(whole, known)
      return known
    }
    return { displayId, source: sourceOfDisplay(lane, displayId), own, ofLane, saidIn }
  })
}
type Display = ReturnType<typeof splitByDisplay>[number]

/**
 * A lane that says nothing itself was observed where any display was. Where none was, the displays' gaps say why.
 */
const layersOfLane = (displays: readonly Display[], place: Place, whole: Span): Layer[] => {
  const { ofLane } = displays[0]!
  const options = { ...place, whole }
  const all = displays.flatMap(({ own }) => own.objects)
  if (ofLane.windows.length > 0) return layersOf({ ...ofLane, objects: [...ofLane.objects, ...all] }, options)
  const said = displays.map(({ saidIn }) => saidIn(whole))
  const spansWhere = (is: (stretch: Stated) => boolean) => unionOf(...said.map((one) => one.filter(is)))
  const observedBy = (by: Stated['reportedBy']): Layer => ({
    spans: spansWhere(({ state, reportedBy }) => state === 'observed' && reportedBy === by),
    state: 'observed',
    reason: null,
    reportedBy: by,
  })
  const byService = observedBy('service')
  return [
    ...gapLayers(ofLane.gaps, 'agent'),
    observedBy('agent'),
    byService,
    { ...byService, spans: recordedSpans(ofLane.objects, place.config) },
    ...gapLayers(
      displays.flatMap(({ own }) => own.gaps),
      'agent',
    ),
    {
      spans: spansWhere(({ reason }) => reason === 'not_reported'),
      state: 'gap',
      reason: 'not_reported',
      reportedBy: 'agent',
    },
  ]
}

/** From the first that was told of a display to the last. One that comes and goes with its lane does so to the millisecond. */
const presenceOf = ({ own, ofLane }: Display, { wanted, config }: Place): Span => {
  const { whole } = wanted
  if (own.windows.length === 0 && ofLane.windows.length > 0) return whole
  const shown = own.windows.length === 0 ? stillSpans(own.objects, config) : []
  let [fromAt, toAt] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const told: readonly (LaneWindow | LaneGap | Span)[] = [
    ...own.windows,
    ...own.gaps,
    ...recordedSpans(own.objects, config),
    ...shown,
  ]
  for (const span of told) {
    fromAt = Math.min(fromAt, span.fromAt)
    toAt = Math.max(toAt, span.toAt)
  }
  return {
    fromAt: fromAt - whole.fromAt < accountEdgeMs ? whole.fromAt : fromAt,
    toAt: whole.toAt - toAt < accountEdgeMs ? whole.toAt : toAt,
  }
}

/** While a display is not there it is as its lane is; what the lane then observes is other displays. */
const whileAway = (stretch: Stated): Stated =>
  stretch.state === 'observed' ? { ...stretch, state: 'not_wanted', reportedBy: 'service' } : stretch

const stretchesOf = (display: Display, place: Place, ofLane: readonly Stated[]): Stated[] => {
  const present = presenceOf(display, place)
  const { whole } = place.wanted
  const there = place.wanted.wanted.flatMap((span) => {
    const part = { fromAt: Math.max(span.fromAt, present.fromAt), toAt: Math.min(span.toAt, present.toAt) }
    if (part.toAt <= part.fromAt) return []
    // All that was told of the display is in its presence: what is said of the whole span, cut, is what is said of the part.
    return filled(partsIn(display.saidIn(span), part), part)
  })
  const away = [
    { fromAt: whole.fromAt, toAt: Math.min(present.fromAt, whole.toAt) },
    { fromAt: Math.max(present.toAt, whole.fromAt), toAt: whole.toAt },
  ].flatMap((span) => partsIn(ofLane, span).map(whileAway))
  const idle = partsIn(ofLane, present).filter(({ state }) => state === 'declined' || state === 'not_wanted')
  return merged([...there, ...away, ...idle].sort((a, b) => a.fromAt - b.fromAt))
}

/** The account of the lane as a whole, and one of each display. */
export const accountsOfDisplays = (told: Told, ids: readonly string[], place: Place): SourceAccount[] => {
  const { lane, wanted, config } = place
  const displays = splitByDisplay(told, ids, place)
  const ofLane = wholeTime(wanted, (whole) => laid(layersOfLane(displays, place, whole)))
  const each = displays.map((display) => {
    const stretches = stretchesOf(display, place, ofLane)
    const held = heldSpans(display.own.objects, observedOf(stretches), config)
    return { display, stretches, held }
  })
  const unplaced = heldSpans(displays[0]!.ofLane.objects, observedOf(ofLane), config)
  return [
    summed(
      { source: lane, lane, displayId: null },
      withHeld(ofLane, unionOf(unplaced, ...each.map(({ held }) => held))),
    ),
    ...each.map(({ display: { source, displayId }, stretches, held }) =>
      summed({ source, lane, displayId }, withHeld(stretches, held)),
    ),
  ]
}
