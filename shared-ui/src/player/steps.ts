import { type Item, itemAt, lastBefore, type Stretch, stretchAt, type Track } from './timeline.ts'

interface Timed {
  readonly atMs: number
}

/** What is closer than this to a place is where the player is, milliseconds. */
const hereMs = 50

/** The next of these, which are in order of time, in a direction. */
export const nextOf = <T extends Timed>(all: readonly T[], atMs: number, direction: 1 | -1): T | undefined =>
  direction === 1
    ? all[lastBefore((index) => all[index]!.atMs, all.length, atMs + hereMs) + 1]
    : all[lastBefore((index) => all[index]!.atMs, all.length, atMs - hereMs)]

/** After a moment that was gone to, the others of its instant are reached for so long while it plays, milliseconds. */
const nearMs = 1000

/** The next moment in a direction, where they are in order of time. Those of one instant come one after the other. */
export const momentBeside = <T extends Timed>(
  moments: readonly T[],
  { atMs, gone, direction }: { readonly atMs: number; readonly gone: number; readonly direction: 1 | -1 },
): T | undefined => {
  const [here, beside] = [moments[gone], moments[gone + direction]]
  const isNear = here && atMs >= here.atMs - hereMs && atMs <= here.atMs + nearMs
  if (isNear && beside && Math.abs(beside.atMs - here.atMs) <= hereMs) return beside
  return nextOf(moments, atMs, direction)
}

/** The moment at a place: of several the one that was gone to, and otherwise the last. */
export const momentAt = <T extends Timed>(moments: readonly T[], atMs: number, gone: number): T | undefined => {
  const here = moments[gone]
  return here && Math.abs(here.atMs - atMs) <= hereMs ? here : moments.findLast((one) => one.atMs <= atMs + hereMs)
}

/** The item of a source beside the one that is shown, in a direction. */
export const itemBeside = (track: Pick<Track, 'items'>, atMs: number, direction: 1 | -1): Item | undefined => {
  const { items } = track
  const shown = itemAt(track, atMs)
  const here = shown ? items.indexOf(shown) : lastBefore((index) => items[index]!.atMs, items.length, atMs)
  // Between two, the one before is the last that there was.
  return items[shown || direction === 1 ? here + direction : here]
}

const isMissing = ({ state }: Stretch): boolean => state === 'gap'

/** Where a jump over gaps leads: the end of the one that is shown, the begin of the next one otherwise. */
export const gapJump = (track: Pick<Track, 'stretches'>, atMs: number): number | undefined => {
  const here = stretchAt(track, atMs)
  if (here && isMissing(here)) {
    const { stretches } = track
    return stretches.slice(stretches.indexOf(here)).find((stretch) => !isMissing(stretch))?.fromMs ?? here.toMs
  }
  return track.stretches.find((stretch) => isMissing(stretch) && stretch.fromMs > atMs)?.fromMs
}
