/** Whether each frame of one place of a film is the light card that stands for nothing. */
export interface PlaceFrames {
  readonly lane: string
  readonly framesPerSecond: number
  readonly isCard: readonly boolean[]
}

/** A stretch of time, milliseconds after the beginning of the film. */
export interface Span {
  readonly fromMs: number
  readonly untilMs: number
}

export interface Compared {
  /** Frames that are in a gap and were looked at. */
  readonly inGaps: number
  /** Frames that are in what was observed and is held, and were looked at. */
  readonly inHeld: number
  /** What should not be, in words. Empty when all is well. */
  readonly problems: readonly string[]
}

const shown = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** The frames within a span; one beside an edge may stand for either side of it. */
const framesIn = ({ fromMs, untilMs }: Span, { framesPerSecond, isCard }: PlaceFrames): number[] => {
  const frameMs = 1000 / framesPerSecond
  const first = Math.ceil((fromMs + frameMs) / frameMs)
  const last = Math.min(isCard.length - 1, Math.floor((untilMs - frameMs) / frameMs))
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
}

/**
 * Holds a place of a film against the account of its source: in a gap there is the card, so that no other source is ever seen
 * there, and where something was observed and is held there is a picture, so that never "nothing was reported" is said of it.
 */
export const compareGaps = (
  frames: PlaceFrames,
  { gaps, held }: { readonly gaps: readonly Span[]; readonly held: readonly Span[] },
): Compared => {
  const { lane, framesPerSecond, isCard } = frames
  const at = (frame: number) => shown((frame * 1000) / framesPerSecond)
  const problems: string[] = []
  const inGaps = gaps.flatMap((span) => framesIn(span, frames))
  for (const frame of inGaps) if (!isCard[frame]) problems.push(`${lane}: a picture at ${at(frame)}, in a gap`)
  const inHeld = held.flatMap((span) => framesIn(span, frames))
  for (const frame of inHeld)
    if (isCard[frame])
      problems.push(`${lane}: nothing is shown at ${at(frame)}, where something was observed and is held`)
  return { inGaps: inGaps.length, inHeld: inHeld.length, problems }
}
