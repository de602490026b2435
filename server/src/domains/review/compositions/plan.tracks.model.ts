import type { EvidenceSource, EvidenceType } from '@integrity/protocol'

/** What the plan knows of one object of evidence; never its bytes. */
export interface PlanInput {
  readonly id: string
  readonly evidenceType: EvidenceType
  readonly sha256: string
  readonly contentType: string
  readonly sizeBytes: number
  /** Epoch milliseconds. */
  readonly capturedAt: number
  /** As its sender told. */
  readonly durationMs: number | null
  /** What captured it, as the account names it: `screen:<displayId>`, `screen`, `camera`, `room_camera` and so on. */
  readonly source: EvidenceSource
}

/** A stretch of the film, milliseconds after its beginning. */
export interface Stretch {
  readonly atMs: number
  readonly untilMs: number
}

/** A part of an input, laid where it is shown or heard. See `FilmItem` for what the times mean. */
export interface Laid extends Stretch {
  readonly kind: 'still' | 'clip'
  readonly input: PlanInput
  readonly beginsMs: number
  readonly toldUntilMs: number
}

export interface TrackTimes {
  /** Epoch milliseconds of the film's beginning. */
  readonly startsAt: number
  /** When the source was observed; in order and apart from each other. Only then it is shown. */
  readonly observed: readonly Stretch[]
  /** The same, and where it is only that nobody reported anything: what a recording turns out to hold is proof enough there. */
  readonly allowed: readonly Stretch[]
}

/** Neighbours that are less than this apart belong together: two clocks seldom agree to the frame. */
const seamMs = 1000
/** Up to here, an overlap of two sounds is two clocks that do not quite agree. */
const jitterMs = 250

const byBeginning = (a: Laid, b: Laid): number => a.beginsMs - b.beginsMs

/** The parts of a stretch that are in some of `runs`, which are in order and apart. */
const partsIn = ({ atMs, untilMs }: Stretch, runs: readonly Stretch[]): Stretch[] => {
  const parts: Stretch[] = []
  for (let n = firstAfter(runs, atMs); n < runs.length && runs[n]!.atMs < untilMs; n++)
    parts.push({ atMs: Math.max(atMs, runs[n]!.atMs), untilMs: Math.min(untilMs, runs[n]!.untilMs) })
  return parts.filter((part) => part.untilMs > part.atMs)
}

/** The first run that ends after a moment, by halving. */
const firstAfter = (runs: readonly Stretch[], ms: number): number => {
  let [low, high] = [0, runs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (runs[middle]!.untilMs > ms) high = middle
    else low = middle + 1
  }
  return low
}

const runAt = (runs: readonly Stretch[], ms: number, slackMs = 0): Stretch | undefined => {
  const run = runs[firstAfter(runs, ms)]
  return run && run.atMs <= ms + slackMs ? run : undefined
}

/**
 * Stills, each held until the next for as long as their source was observed without a break: while nothing changes, none
 * is sent. One that was taken when the source was not observed is not shown.
 */
const stillsOf = (inputs: readonly PlanInput[], { startsAt, observed }: TrackTimes): Laid[] => {
  const stills = inputs
    .map((input) => ({ input, beginsMs: input.capturedAt - startsAt }))
    .sort((a, b) => a.beginsMs - b.beginsMs)
  return stills.flatMap(({ input, beginsMs }, i): Laid[] => {
    const run = runAt(observed, beginsMs, seamMs)
    const untilMs = Math.min(run?.untilMs ?? 0, stills[i + 1]?.beginsMs ?? Number.POSITIVE_INFINITY)
    const atMs = Math.max(beginsMs, run?.atMs ?? 0)
    return untilMs > atMs ? [{ kind: 'still', input, beginsMs, toldUntilMs: untilMs, atMs, untilMs }] : []
  })
}

/** When each recording begins, and until when it says that it lasts: its beginning where it does not say. */
const recordingsOf = (inputs: readonly PlanInput[], { startsAt }: TrackTimes): Laid[] =>
  inputs
    .map((input): Laid => {
      const beginsMs = input.capturedAt - startsAt
      const toldUntilMs = beginsMs + (input.durationMs ?? 0)
      return { kind: 'clip', input, beginsMs, toldUntilMs, atMs: beginsMs, untilMs: toldUntilMs }
    })
    .sort(byBeginning)

/** What a recording may hold beyond what it told: until anything else begins, as far as it goes on without a break. */
const beyondTold = (item: Laid, nextMs: number, { allowed }: TrackTimes): Laid[] => {
  const isTold = item.input.durationMs !== null
  if (isTold && item.toldUntilMs <= 0) return []
  const run = isTold ? runAt(allowed, item.toldUntilMs - 1) : runAt(allowed, Math.max(0, item.beginsMs), seamMs)
  const untilMs = Math.min(nextMs, run?.untilMs ?? item.toldUntilMs)
  const atMs = Math.max(item.toldUntilMs, run?.atMs ?? 0)
  return untilMs > atMs ? [{ ...item, atMs, untilMs }] : []
}

/** The first of some ordered moments after another. */
const nextOf = (moments: readonly number[], after: number): number => {
  let [low, high] = [0, moments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (moments[middle]! > after) high = middle
    else low = middle + 1
  }
  return moments[low] ?? Number.POSITIVE_INFINITY
}

/** Recordings that follow each other almost at once do so without a seam. */
const withoutSeams = (recordings: readonly Laid[]): Laid[] =>
  recordings.map((item, i) => {
    const gap = (recordings[i + 1]?.beginsMs ?? Number.POSITIVE_INFINITY) - item.toldUntilMs
    if (item.input.durationMs === null || gap <= 0 || gap >= seamMs) return item
    return { ...item, untilMs: item.untilMs + gap, toldUntilMs: item.toldUntilMs + gap }
  })

/**
 * The layers of one source, the uppermost last: stills; what recordings hold beyond what they told; recordings, the later
 * above the earlier, which is seen again where the later one has ended. Nothing is shown where the source was not observed,
 * and nothing before the film.
 */
export const layersOf = (clips: readonly PlanInput[], stills: readonly PlanInput[], times: TrackTimes): Laid[] => {
  const held = stillsOf(stills, times)
  const recordings = withoutSeams(recordingsOf(clips, times))
  const begins = recordings.map(({ beginsMs }) => beginsMs)
  const all = [...begins, ...held.map(({ atMs }) => atMs)].sort((a, b) => a - b)
  const beyond = recordings.flatMap((item) => {
    const isTold = item.input.durationMs !== null
    return beyondTold(item, nextOf(isTold ? all : begins, isTold ? item.toldUntilMs - 1 : item.beginsMs), times)
  })
  const told = recordings.flatMap((item) => partsIn(item, times.observed).map((part) => ({ ...item, ...part })))
  return [...held, ...beyond, ...told].flatMap((item) => {
    const atMs = Math.max(0, item.atMs)
    return item.untilMs > atMs ? [{ ...item, atMs }] : []
  })
}

/**
 * Sounds in layers: each from its own moment for as long as it told or holds; one that overlaps the one before it a little
 * loses its beginning instead. Not heard is only what is in a gap that somebody told of.
 */
export const soundsOf = (inputs: readonly PlanInput[], times: TrackTimes): Laid[] => {
  const recordings = recordingsOf(inputs, times)
  const begins = recordings.map(({ beginsMs }) => beginsMs)
  let ended = Number.NEGATIVE_INFINITY
  const told = recordings.flatMap((item) => {
    const overlap = ended - item.beginsMs
    const atMs = overlap > 0 && overlap <= jitterMs ? ended : item.atMs
    ended = Math.max(ended, item.toldUntilMs)
    return partsIn({ atMs, untilMs: item.untilMs }, times.allowed).map((part) => ({ ...item, ...part }))
  })
  const beyond = recordings.flatMap((item) => beyondTold(item, nextOf(begins, item.beginsMs), times))
  return [...beyond, ...told].flatMap((item) => {
    const atMs = Math.max(0, item.atMs)
    return item.untilMs > atMs ? [{ ...item, atMs }] : []
  })
}
