import {
  type AccountReporter,
  type LaneName,
  lanes,
  type SessionConfig,
  type Span,
  subtract,
  unionOf,
} from '@integrity/protocol'
import type { LaneGap, LaneWindow } from '../../interviews/lanes/lanes.types.ts'
import { recordedSpans, stillSpans } from './account.held.model.ts'
import { filled, type Layer, laid, partsIn, type Stated } from './account.layers.model.ts'
import { gapLayers, seenIn } from './account.told.model.ts'
import type { AccountStretch, HeldObject, SourceAccount } from './account.types.ts'
import type { Wanted } from './account.wanted.model.ts'

/** What was told of a source, and what is held of it. */
export interface Told {
  readonly windows: readonly LaneWindow[]
  readonly gaps: readonly LaneGap[]
  readonly objects: readonly HeldObject[]
}

const reporterOf = (lane: LaneName): AccountReporter => lanes[lane].from

/** What is said of a source in a span that it was wanted in: gaps, then what was seen, then what objects show. */
export const layersOf = (
  { windows, gaps, objects }: Told,
  { lane, whole, config }: { readonly lane: LaneName; readonly whole: Span; readonly config: SessionConfig },
): Layer[] => {
  const by = reporterOf(lane)
  const told = gapLayers(gaps, by)
  const seen = seenIn(windows, unionOf(...told.map(({ spans }) => spans)), {
    whole,
    expectsLess: lane === 'transcript',
  })
  // A lane that says when it saw samples says all of it; of one that says nothing, stills speak.
  const shown = [...recordedSpans(objects, config), ...(windows.length === 0 ? stillSpans(objects, config) : [])]
  const said = { reason: null, reportedBy: by } as const
  return [
    ...told,
    { ...said, spans: seen.observed, state: 'observed' },
    { ...said, spans: seen.missing, state: 'gap', reason: 'not_reported' },
    { ...said, spans: seen.notWanted, state: 'not_wanted' },
    { ...said, spans: shown, state: 'observed', reportedBy: lane === 'room_camera' ? 'room' : 'service' },
  ]
}

/** From when a lane was agreed to until the end: what layers say of the times in which it was wanted, and what of the others. */
export const wholeTime = (wanted: Wanted, saidIn: (span: Span) => Stated[]): Stated[] => {
  const stretches = wanted.wanted.flatMap((span) => filled(partsIn(saidIn(span), span), span))
  const idle = subtract([wanted.whole], wanted.wanted)
  const off = laid([
    { spans: subtract(wanted.declined, wanted.wanted), state: 'declined', reason: 'declined', reportedBy: 'service' },
    { spans: idle, state: 'not_wanted', reason: null, reportedBy: 'service' },
  ])
  if (off.length === 0) return stretches
  return [...stretches, ...partsIn(off, wanted.whole)].sort((a, b) => a.fromAt - b.fromAt)
}

/** The stretches in which samples were seen. */
export const observedOf = (stretches: readonly Stated[]): Stated[] =>
  stretches.filter(({ state }) => state === 'observed')

export const summed = (
  place: Pick<SourceAccount, 'source' | 'lane' | 'displayId'>,
  stretches: readonly AccountStretch[],
): SourceAccount => {
  let [observedMs, gapMs, heldMs] = [0, 0, 0]
  for (const { fromAt, toAt, state, held } of stretches) {
    if (state === 'observed') observedMs += toAt - fromAt
    if (state === 'gap') gapMs += toAt - fromAt
    if (held) heldMs += toAt - fromAt
  }
  return { ...place, expectedMs: observedMs + gapMs, observedMs, heldMs, stretches }
}
