import type { SeenTime } from './seen-time.ts'
import type { Timeline } from './timeline.ts'

/** How much of an interview has been shown, of what there is. */
export interface Opened {
  readonly moments: number
  readonly ofMoments: number
  /** Pictures and pieces of sound. */
  readonly items: number
  readonly ofItems: number
  readonly shownMs: number
  readonly ofMs: number
}

export const openedOf = (
  seen: Pick<SeenTime, 'has' | 'touches' | 'totalMs'>,
  { tracks, fromMs, toMs }: Timeline,
  moments: readonly { readonly atMs: number }[],
): Opened => {
  const items = tracks.flatMap((track) => track.items)
  const ofMs = toMs - fromMs
  return {
    // A rule may have found what was so before the recording: it is seen where that begins.
    moments: moments.filter(({ atMs }) => seen.has(Math.max(atMs, fromMs))).length,
    ofMoments: moments.length,
    items: items.filter((item) => seen.touches(item.atMs, item.untilMs)).length,
    ofItems: items.length,
    shownMs: Math.min(seen.totalMs, ofMs),
    ofMs,
  }
}
