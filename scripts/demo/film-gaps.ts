/** Whether each frame of one lane's place in a film is the light card that stands for nothing. */
export interface LaneFrames {
  readonly lane: string
  readonly framesPerSecond: number
  readonly isCard: readonly boolean[]
}

/** A stretch of time, milliseconds after the beginning of the film. */
export interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

/**
 * Where the recordings of another lane may be seen in the place of one: each plays from its beginning until the first thing that
 * was captured after it. What is covered at its beginning is not seen at all, not even in a gap that comes later.
 */
export const seenBesides = (clips: readonly Span[], captured: readonly number[]): Span[] =>
  clips.map(({ fromMs, untilMs }) => ({ fromMs, untilMs: Math.min(untilMs, ...captured.filter((ms) => ms >= fromMs)) }))

export interface Compared {
  /** Frames that lie in a gap and were looked at. */
  readonly inGaps: number
  /** Pictures that were captured outside of every gap and are seen. */
  readonly seen: number
  /** What should not be, in words. Empty when all is well. */
  readonly problems: readonly string[]
}

const shown = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/**
 * Holds a film against the report: in a gap there is the card and nothing else, except in `besides`, where another lane is shown
 * in the same place; and what was captured outside of gaps is a picture.
 */
export const compareGaps = (
  { lane, framesPerSecond, isCard }: LaneFrames,
  { gaps, besides, captured }: { gaps: readonly Span[]; besides: readonly Span[]; captured: readonly number[] },
): Compared => {
  const problems: string[] = []
  const frameMs = 1000 / framesPerSecond
  const isIn = (spans: readonly Span[], ms: number) =>
    // A frame beside an edge may stand for either side of it.
    spans.some(({ fromMs, untilMs }) => ms >= fromMs - frameMs && ms <= untilMs + frameMs)
  let inGaps = 0
  for (const { fromMs, untilMs } of gaps) {
    const first = Math.ceil((fromMs + frameMs) / frameMs)
    const last = Math.min(isCard.length - 1, Math.floor((untilMs - frameMs) / frameMs))
    for (let frame = first; frame <= last; frame++) {
      const ms = frame * frameMs
      if (isIn(besides, ms)) continue
      inGaps += 1
      if (!isCard[frame]) problems.push(`${lane}: a picture at ${shown(ms)}, in the gap from ${shown(fromMs)} on`)
    }
  }
  let seen = 0
  for (const ms of captured) {
    const frame = Math.ceil((ms + frameMs) / frameMs)
    if (isIn(gaps, ms) || frame >= isCard.length) continue
    seen += 1
    if (isCard[frame]) problems.push(`${lane}: nothing is shown at ${shown(ms)}, where a picture was captured`)
  }
  return { inGaps, seen, problems }
}
