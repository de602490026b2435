import type { PictureLook } from '../../core/capture/types.ts'
import { createAbsentObserver } from '../../core/observers/not-observable.ts'
import { findWay } from '../../core/observers/observer-table.ts'
import { aborted, createSampledObserver } from '../../core/observers/sampled-observer.ts'
import { type Observer, thisPlatform } from '../../core/observers/types.ts'
import type { ObserverOptions } from './observer-options.ts'

const name = 'picture_unchanged'
const noCamera = 'Whether the picture of the camera stays the same cannot be seen: no camera is recorded here.'
/** A camera has noise: what is the same for so long is one picture, or one too plain or too dark for its noise to be kept. */
const unchangedAfterMs = 60_000
/** Nothing is known of a longer time between two looks, which come every ten seconds or more often. */
const longestPauseMs = 30_000

/** Looks at one and the same picture, from the first to the latest. */
interface Stretch {
  readonly first: PictureLook
  readonly latest: PictureLook
}

const lengthOf = ({ first, latest }: Stretch): number => latest.mono - first.mono
const isLong = (stretch: Stretch): boolean => lengthOf(stretch) >= unchangedAfterMs

const follows = ({ latest }: Stretch, look: PictureLook): boolean =>
  latest.mark === look.mark && look.mono - latest.mono <= longestPauseMs

const factOf = ({ first }: Stretch) => ({
  lane: 'camera' as const,
  singleColour: !first.varies,
})

/**
 * That the camera's picture does not change at all, and when it does again. Of screens nothing is said: a page that
 * is read stands still, and their lane tells of each look whether it showed something new.
 */
export const createPictureUnchangedObserver = (options: ObserverOptions = {}): Observer => {
  const { clock, pictures, platform = thisPlatform() } = options
  const way = findWay(name, platform, false)
  if ('why' in way) return createAbsentObserver(name, 'none', way.why)
  return createSampledObserver<Stretch>({
    name,
    version: 1,
    way,
    clock,
    probe: async () => (pictures ? { status: 'observable' } : { status: 'not_observable', why: noCamera }),
    source: async (see, signal) => {
      if (!pictures) throw new Error(noCamera)
      let stretch: Stretch | undefined
      const stop = pictures.follow((look) => {
        stretch = stretch && follows(stretch, look) ? { ...stretch, latest: look } : { first: look, latest: look }
        see(stretch)
      })
      await aborted(signal)
      stop()
    },
    initial: () => [],
    baseline: () => undefined,
    changes: (before, now) => {
      const goesOn = before.first === now.first
      if (goesOn && isLong(now) && !isLong(before))
        return [{ kind: 'picture.unchanged_started', value: { ...factOf(now), unchangedMs: lengthOf(now) } }]
      if (goesOn || !isLong(before)) return []
      return [{ kind: 'picture.unchanged_ended', value: { ...factOf(before), durationMs: lengthOf(before) } }]
    },
  })
}
