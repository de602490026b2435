import { type EvidenceType, sessionBounds } from '@integrity/protocol'

/** What the plan knows of one object of evidence; never its bytes. */
export interface PlanInput {
  readonly id: string
  readonly evidenceType: EvidenceType
  readonly sha256: string
  readonly contentType: string
  readonly sizeBytes: number
  /** Epoch milliseconds. */
  readonly capturedAt: number
  readonly durationMs: number | null
  /** Empty where the agent named none. */
  readonly displayId: string
}

/** A stretch of the film, milliseconds after its beginning. */
export interface Stretch {
  readonly atMs: number
  readonly untilMs: number
}
export interface Shown extends Stretch {
  readonly kind: 'still' | 'clip'
  readonly input: PlanInput
}
export interface Gap extends Stretch {
  /** Empty for the lane as a whole. */
  readonly displayId: string
  readonly text: string
  /** Nobody told of it: it is only that nothing was reported. */
  readonly inferred?: boolean
}

const byTime = (a: Stretch, b: Stretch): number => a.atMs - b.atMs

/** What of `span` lies in none of `taken`, which is ordered and does not overlap; `from` is where to begin looking. */
const freeParts = (span: Stretch, taken: readonly Stretch[], from: number): Stretch[] => {
  const parts: Stretch[] = []
  let { atMs } = span
  for (let i = from; i < taken.length && taken[i]!.atMs < span.untilMs; i++) {
    const { atMs: begin, untilMs: end } = taken[i]!
    if (begin > atMs) parts.push({ atMs, untilMs: begin })
    atMs = Math.max(atMs, end)
  }
  if (atMs < span.untilMs) parts.push({ atMs, untilMs: span.untilMs })
  return parts
}

/**
 * Lays `lower` under `upper`: it is seen where `upper` has nothing. Both are ordered and do not overlap in themselves.
 * A recording plays from its beginning or, where that is covered, not at all; all else may begin anywhere.
 */
export const layUnder = <T extends Stretch & { readonly kind?: 'still' | 'clip' }>(
  upper: readonly T[],
  lower: readonly T[],
): T[] => {
  const seen = [...upper]
  let first = 0
  for (const item of lower) {
    while (first < upper.length && upper[first]!.untilMs <= item.atMs) first++
    for (const part of freeParts(item, upper, first))
      if (item.kind !== 'clip' || part.atMs === item.atMs) seen.push({ ...item, ...part })
  }
  return seen.sort(byTime)
}

/** Each ends where the next begins. */
const inTurn = <T extends Stretch>(items: readonly T[]): T[] =>
  items.map((item, i) => ({ ...item, untilMs: Math.min(item.untilMs, items[i + 1]?.atMs ?? item.untilMs) }))

const inside = <T extends Stretch>(items: readonly T[], durationMs: number): T[] =>
  items
    .map((item) => ({ ...item, atMs: Math.max(0, item.atMs), untilMs: Math.min(durationMs, item.untilMs) }))
    .filter((item) => item.untilMs > item.atMs)

export interface TrackOptions {
  /** Epoch milliseconds of the film's beginning. */
  readonly startsAt: number
  readonly durationMs: number
  /** How long a still is held when nothing follows it. */
  readonly holdMs: number
}

/** Recordings in their order; one that overlaps the next ends there. */
export const clipsOf = (inputs: readonly PlanInput[], { startsAt, durationMs, holdMs }: TrackOptions): Shown[] => {
  const items = inputs.map((input): Shown => {
    const atMs = input.capturedAt - startsAt
    // A recording that does not say how long it is may not hide the stills beside it for good.
    return { kind: 'clip', input, atMs, untilMs: atMs + (input.durationMs ?? holdMs) }
  })
  return inside(inTurn(items.sort(byTime)), durationMs)
}

/** Stretches that follow each other, from any that may overlap. */
const union = (stretches: readonly Stretch[]): Stretch[] => {
  const all: { atMs: number; untilMs: number }[] = []
  for (const { atMs, untilMs } of [...stretches].sort(byTime)) {
    const before = all.at(-1)
    if (before && before.untilMs >= atMs) before.untilMs = Math.max(before.untilMs, untilMs)
    else if (untilMs > atMs) all.push({ atMs, untilMs })
  }
  return all
}

/**
 * Stills, each held until the next, until its time is over, or until a gap begins that covers its display. One that was
 * taken inside a gap that was told of is not seen: held, it would hide that nothing else was captured. Inside one that is
 * only inferred it is the one thing that is known.
 */
const stillsOf = (
  inputs: readonly PlanInput[],
  gaps: readonly Gap[],
  { startsAt, durationMs, holdMs }: TrackOptions,
): Shown[] => {
  const items = inputs
    .map((input): Shown => {
      const atMs = input.capturedAt - startsAt
      return { kind: 'still', input, atMs, untilMs: atMs + holdMs }
    })
    .sort(byTime)
  const holes = union(gaps.filter(({ inferred }) => !inferred))
  const silences = union(gaps.filter(({ inferred }) => inferred))
  let [hole, silence] = [0, 0]
  const cut = inTurn(items).map((item) => {
    while (hole < holes.length && holes[hole]!.untilMs <= item.atMs) hole++
    while (silence < silences.length && silences[silence]!.atMs <= item.atMs) silence++
    const begins = [holes[hole], silences[silence]].map((gap) => gap?.atMs ?? item.untilMs)
    return { ...item, untilMs: Math.min(item.untilMs, ...begins) }
  })
  return inside(cut, durationMs)
}

/**
 * One track out of several displays (the camera has one, unnamed). Recordings win over stills of the same display; the
 * lowest displayId is the main screen, and another one is seen only while the ones before it have nothing. Of what
 * several displays show at once the film shows one.
 */
export const trackOf = (
  clips: readonly PlanInput[],
  stills: readonly PlanInput[],
  gaps: readonly Gap[],
  options: TrackOptions,
): Shown[] => {
  const names = [...new Set([...clips, ...stills].map(({ displayId }) => displayId))].sort()
  // Beyond the bound all displays are as one, so that no number of names multiplies the work.
  const last = names[sessionBounds.displays]
  const layerOf = ({ displayId }: PlanInput) => (last !== undefined && displayId > last ? last : displayId)
  const byDisplay = (inputs: readonly PlanInput[]) => Map.groupBy(inputs, layerOf)
  const [ownClips, ownStills] = [byDisplay(clips), byDisplay(stills)]
  const ownGaps = Map.groupBy(gaps, ({ displayId }) => displayId)
  const ofLane = ownGaps.get('') ?? []
  let track: Shown[] = []
  for (const displayId of [...new Set([...ownClips.keys(), ...ownStills.keys()])].sort()) {
    const covering = displayId === '' ? ofLane : [...ofLane, ...(ownGaps.get(displayId) ?? [])]
    track = layUnder(track, clipsOf(ownClips.get(displayId) ?? [], options))
    track = layUnder(track, stillsOf(ownStills.get(displayId) ?? [], covering, options))
  }
  return track
}

/** Why there is no picture, without overlaps: what is said of the lane as a whole before what is said of a display. */
export const gapTextsOf = (gaps: readonly Gap[], durationMs: number): Gap[] => {
  const groups = Map.groupBy(gaps, ({ displayId }) => displayId)
  let texts: Gap[] = []
  for (const displayId of [...groups.keys()].sort())
    texts = layUnder(texts, inside(withoutOverlap(groups.get(displayId)!.sort(byTime)), durationMs))
  return texts
}

/** Each begins where the one before it ended. */
const withoutOverlap = (gaps: readonly Gap[]): Gap[] => {
  let ended = Number.NEGATIVE_INFINITY
  return gaps.map((gap) => {
    const atMs = Math.max(gap.atMs, ended)
    ended = Math.max(ended, gap.untilMs)
    return { ...gap, atMs }
  })
}
