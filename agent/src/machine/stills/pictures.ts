import sharp from 'sharp'

// Each picture is another one: a cache of operations only holds memory, and one picture at a time needs no threads.
sharp.cache(false)
sharp.concurrency(1)

/** Compression effort of WebP, 0 to 6: one more doubles the time for 3 % fewer bytes, one less saves a fifth of it for 17 % more. */
export const webpEffort = 2

/** How long a lane of stills looks at nothing, at most: well within the time after which it counts as down. */
const longestLookMs = 10_000

/** How often a frame is looked at: a whole part of the interval of stills, so that each still falls on a look. */
export const lookIntervalMs = (stillIntervalMs: number): number =>
  stillIntervalMs / Math.ceil(stillIntervalMs / longestLookMs)

export { sharp }
